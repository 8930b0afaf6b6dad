/** Reading the marks of VS Code's shell integration, from streams that its scripts made in bash, zsh and fish. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type TerminalPiece,
  VsCodePromptMarks,
} from '../../../electron/recorder/terminal/shell-integration/prompt-marks.ts';
import { TerminalLog } from '../../../electron/recorder/terminal/shell-integration/terminal-log.ts';
import { parseTerminalLog, type RecordedCommand } from '../../../electron/store/contents/commands.ts';
import fc from '../../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

/** VSCODE_NONCE in the recorded streams. */
const NONCE = 'a0b1c2d3-nonce';
const recorded = (shell: string) =>
  readFileSync(new URL(`../../fixtures/terminal/vscode-marks/${shell}.out`, import.meta.url));

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

function commandsIn(stream: Buffer | string, exit: number | null = null, nonce = NONCE): RecordedCommand[] {
  return commandsOf(new VsCodePromptMarks(nonce).scan(Buffer.from(stream)), exit);
}

function commandsOf(pieces: readonly TerminalPiece[], exit: number | null): RecordedCommand[] {
  const path = join(folder, `${Math.random()}.commands`);
  const log = new TerminalLog(path, () => '2026-01-13T10:30:00.000Z');
  for (const piece of pieces) log.take(piece);
  log.close(exit);
  return parseTerminalLog(readFileSync(path, 'utf8')).commands;
}

const facts = (commands: readonly RecordedCommand[]) =>
  commands.map(({ command, cwd, end }) => [command, end?.exit_code, cwd]);

const mark = (body: string) => `\x1b]633;${body}\x07`;
const prompt = (status: string, cwd = '/') =>
  `${mark(`D${status}`)}${mark(`P;Cwd=${cwd}`)}${mark('A')}$ ${mark('B')}`;
const run = (echo: string, command = echo) => `${echo}\r\n${mark(`E;${command};${NONCE}`)}${mark('C')}`;

describe('recorded streams', () => {
  const LONG = 'echo a long line that is longer than the sixty columns of this terminal, and wraps around it';

  it('of bash give each command, its status and its folder', () => {
    expect(facts(commandsIn(recorded('bash'), 3))).toEqual([
      ['echo one', 0, '/tmp'],
      ['false', 1, '/tmp'],
      ['false | true', 0, '/tmp'],
      ['echo "a;b\\\\c" | cat | tr a x', 0, '/tmp'],
      ['for i in 1 2; do echo $i; done', 0, '/tmp'],
      ['cd /', 0, '/tmp'],
      [LONG, 0, '/'],
      ['printf "no end"', 0, '/'],
      ['exit 3', 3, '/'],
    ]);
  });

  it('of bash give the bytes of each output', () => {
    const bytes = recorded('bash');
    const outputs = commandsIn(bytes).map(({ start_offset, end }) =>
      bytes.subarray(start_offset, end?.end_offset).toString(),
    );
    expect(outputs.slice(0, 5)).toEqual(['one\r\n', '', '', 'x;b\\c\r\n', '1\r\n2\r\n']);
    expect(outputs[7]).toBe('no end');
  });

  it('of zsh give each command, its status and its folder', () => {
    const commands = facts(commandsIn(recorded('zsh'), 3));
    expect(commands.slice(0, 4)).toEqual([
      ['echo one', 0, '/tmp'],
      ['false', 1, '/tmp'],
      ['false | true', 0, '/tmp'],
      ['echo "a;b\\\\c" | cat | tr a x', 0, '/tmp'],
    ]);
    expect(commands[4]?.[0]).toBe('for i in 1 2; do\necho $i\ndone');
    expect(commands.at(-1)).toEqual(['exit 3', 3, '/']);
  });

  it('of fish give no command, as they have no nonce', () => {
    expect(commandsIn(recorded('fish'))).toEqual([]);
  });

  it.each(['bash', 'zsh'])('of %s give the same commands wherever they are cut', (shell) => {
    const bytes = recorded(shell);
    const whole = commandsIn(bytes);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        const reader = new VsCodePromptMarks(NONCE);
        const ends = [...cuts, bytes.length].sort((a, b) => a - b);
        const pieces = ends.flatMap((end, i) => reader.scan(bytes.subarray(ends[i - 1] ?? 0, end)));
        expect(Buffer.concat([...pieces.map((piece) => piece.bytes), reader.held]).equals(bytes)).toBe(true);
        expect(commandsOf(pieces, null)).toEqual(whole);
      }),
    );
  });
});

describe('marks of VS Code', () => {
  it('begin no command if they have another nonce or none', () => {
    const forged = `${prompt('')}${mark('E;rm -rf /;other')}${mark('C')}${prompt(';0')}`;
    expect(commandsIn(forged)).toEqual([]);
    expect(commandsIn(forged.replace(';other', ''))).toEqual([]);
  });

  it('do not end the command that prints them', () => {
    const foreign = `one\r\n${prompt(';7', '/elsewhere')}${mark('E;a;other')}${mark('C')}two\r\n${prompt(';8')}`;
    const [cat, next] = commandsIn(`${prompt('')}${run('cat log')}${foreign}${prompt(';0')}${run('ls')}`);
    expect(cat).toMatchObject({ command: 'cat log', cwd: '/', end: { exit_code: 0 } });
    expect(cat!.end!.end_offset - cat!.start_offset).toBe(foreign.length);
    expect(next).toMatchObject({ command: 'ls', number: 2, end: { exit_code: null } });
  });

  it('leave the last command as it is when Enter alone is typed', () => {
    const nothing = `\r\n${mark(`E;;${NONCE}`)}${mark('C')}${prompt('')}`;
    const [only, ...others] = commandsIn(
      `${prompt('')}${run('(exit 4)')}${prompt(';4')}${nothing}${nothing}`,
    );
    expect(only?.end?.exit_code).toBe(4);
    expect(others).toEqual([]);
  });

  it('are completed by the echo where bash names only the first part of a pipeline', () => {
    const told = (echo: string, command: string) =>
      commandsIn(`${prompt('')}${run(echo, command)}`)[0]?.command;
    expect(told('make 2>&1 | tail', 'make 2>&1')).toBe('make 2>&1 | tail');
    expect(told('for i in 1; do\r\n\x1b]633;F\x07> \x1b]633;G\x07echo $i; done', 'for i in 1')).toBe(
      'for i in 1; do\necho $i; done',
    );
  });

  it('may end with ESC and a backslash, and without a folder', () => {
    const stream = `${prompt('')}${run('a')}x\r\n${mark('D;5')}${mark('A')}$ ${mark('B')}${run('b')}`;
    const commands = commandsIn(stream.replaceAll('\x07', '\x1b\\'));
    expect(facts(commands)).toEqual([
      ['a', 5, '/'],
      ['b', null, '/'],
    ]);
  });

  it('are not waited for endlessly', () => {
    const reader = new VsCodePromptMarks(NONCE);
    const endless = `\x1b]633;E;${'a'.repeat(200_000)}`;
    const pieces = reader.scan(Buffer.from(endless));
    expect(Buffer.concat(pieces.map(({ bytes }) => bytes)).length).toBe(endless.length);
    expect(reader.scan(Buffer.from('\x1b]63')).length).toBe(0);
    expect(reader.scan(Buffer.from('4')).length).toBe(1);
  });
});
