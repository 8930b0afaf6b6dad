/** Tells the shell integration's marks from program output, and logs commands from them. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  introducer,
  type PromptMark,
  PromptMarkScanner,
} from '../../../electron/recorder/terminal/shell-integration/prompt-marks.ts';
import { TerminalLog } from '../../../electron/recorder/terminal/shell-integration/terminal-log.ts';
import { parseTerminalLog } from '../../../electron/store/contents/commands.ts';
import fc from '../../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const NONCE = '00112233445566778899aabbccddeeff';
const mark = (body: string) => `${introducer(NONCE)}${body}\x07`;

function scan(chunks: readonly (string | Buffer)[]): { shown: string; marks: PromptMark[]; all: string } {
  const scanner = new PromptMarkScanner(NONCE);
  const pieces = chunks.flatMap((chunk) => scanner.scan(Buffer.from(chunk)));
  const text = (list: typeof pieces) => Buffer.concat(list.map(({ bytes }) => bytes)).toString('latin1');
  return {
    shown: text(pieces.filter((piece) => piece.mark === null)) + scanner.held.toString('latin1'),
    marks: pieces.flatMap((piece) => piece.mark ?? []),
    all: text(pieces) + scanner.held.toString('latin1'),
  };
}

describe('prompt marks', () => {
  const stream = `$ ${mark('B')}ls\r\n${mark('X;1;1;ls')}a\x1b[31mb\x1b]633;C\x07\r\n${mark('P;2;0;/home/\xe4')}$ `;

  it('are found among other bytes, which pass through in order', () => {
    const { shown, marks, all } = scan([Buffer.from(stream)]);
    expect(shown).toBe('$ ls\r\na\x1b[31mb\x1b]633;C\x07\r\n$ ');
    expect(marks).toEqual([
      { type: 'input' },
      { type: 'run', number: 1, sure: true, command: 'ls' },
      { type: 'prompt', number: 2, exitCode: 0, cwd: '/home/ä' },
    ]);
    expect(all).toBe(Buffer.from(stream).toString('latin1'));
  });

  it('are the same wherever the bytes are cut', () => {
    const bytes = Buffer.from(stream);
    const whole = scan([bytes]);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const ends = [...cuts, bytes.length].sort((a, b) => a - b);
        const chunks = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
        expect(scan(chunks)).toEqual(whole);
      }),
    );
    expect(scan([...bytes].map((byte) => Buffer.of(byte)))).toEqual(whole);
  });

  it('may have any text in them', () => {
    const { marks } = scan([mark('X;7;0;a\\\\b;c\\nd\\re\\e[31m\\a\\c\\s é')]);
    expect(marks).toEqual([
      { type: 'run', number: 7, sure: false, command: 'a\\b;c\nd\re\x1b[31m\x07\x18\x1a é' },
    ]);
  });

  it('are ignored without the nonce, without an end, or with invalid contents', () => {
    const forged = `${introducer('0'.repeat(32))}P;1;0;/\x07`;
    expect(scan([forged])).toMatchObject({ shown: forged, marks: [] });
    for (const body of ['', 'Q', 'P', 'P;1', 'P;x;0;/', 'X;99999999999999999;1;a', 'X;1;1'])
      expect(scan([mark(body)])).toMatchObject({ shown: mark(body), marks: [] });
    const endless = `${introducer(NONCE)}X;1;1;${'a'.repeat(200_000)}`;
    expect(scan([endless, mark('B')])).toMatchObject({ marks: [{ type: 'input' }] });
    expect(scan([endless]).shown.length).toBe(endless.length);
  });

  it('are not waited for when the bytes so far cannot become a mark', () => {
    const scanner = new PromptMarkScanner(NONCE);
    scanner.scan(Buffer.from('text\x1b]633;Spill'));
    expect(scanner.held.toString()).toBe('\x1b]633;Spill');
    scanner.scan(Buffer.from('ed'));
    expect(scanner.held.length).toBe(0);
  });
});

describe('the log of commands', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeFolder();
  });
  afterEach(() => removeFolder(folder));

  const commandsOf = (stream: string, exit: number | null = null) => {
    const path = join(folder, 'x.commands');
    const log = new TerminalLog(path, () => '2026-01-13T10:30:00.000Z');
    const scanner = new PromptMarkScanner(NONCE);
    for (const piece of scanner.scan(Buffer.from(stream))) log.take(piece);
    if (exit !== null) log.close(exit);
    const { commands } = parseTerminalLog(readFileSync(path, 'utf8'));
    rmSync(path);
    return commands;
  };
  const prompt = (number: number, status = 0) => `${mark(`P;${number};${status};/`)}$ ${mark('B')}`;
  /** The mark of a typed command, which has the number after its prompt's. */
  const run = (prompt: number, command: string, sure = 1) => mark(`X;${prompt + 1};${sure};${command}`);

  it('holds where each output begins and ends, in bytes and lines', () => {
    const start = `${prompt(1)}two\r\n${run(1, 'two')}`;
    const [two] = commandsOf(`${start}1\r\n2\r\n${prompt(3, 5)}`);
    expect(two).toMatchObject({
      ...{ number: 1, command: 'two', cwd: '/', prompt_line: 1, start_line: 2, start_offset: start.length },
      end: { exit_code: 5, end_offset: start.length + 6, end_line: 3 },
    });
  });

  it('counts a last line without an end, and no line where nothing was printed', () => {
    const [partial, silent] = commandsOf(
      `${prompt(1)}a\r\n${run(1, 'a')}x\r\ny${prompt(3)}b\r\n${run(3, 'b')}${prompt(5)}`,
    );
    expect([partial?.start_line, partial?.end?.end_line]).toEqual([2, 3]);
    expect(silent?.end).toMatchObject({ end_line: null, end_offset: silent?.start_offset });
  });

  it('ends an output at its end mark, if there is one', () => {
    const [a] = commandsOf(`${prompt(1)}a\r\n${run(1, 'a')}x\r\n${mark('E')}%   \r \r${prompt(3)}`);
    expect(a?.end?.end_line).toBe(2);
  });

  it('ignores marks with a number that was seen before', () => {
    const seen = `${prompt(1)}a\r\n${run(1, 'a')}x\r\n${prompt(3, 1)}`;
    const commands = commandsOf(`${seen}cat\r\n${run(3, 'cat')}${seen}${prompt(5, 0)}`);
    expect(commands.map(({ command, end }) => [command, end?.exit_code])).toEqual([
      ['a', 1],
      ['cat', 0],
    ]);
  });

  it('takes the echoed command where the shell can only guess it', () => {
    const typed = (echo: string) => commandsOf(`${prompt(1)}${echo}\r\n${run(1, 'before', 0)}`)[0]?.command;
    expect(typed(' secret')).toBe(' secret');
    expect(typed('before')).toBe('before');
    expect(typed(' sex\bcret')).toBe(' secret');
    expect(typed('')).toBe('before');
  });

  it('takes every echoed line, without its prompt', () => {
    const typed = (echo: string, guess: string, continued = '> ') =>
      commandsOf(`${prompt(1)}${echo}\r\n${mark(`C;${continued}`)}${run(1, guess, 0)}`)[0]?.command;
    expect(typed('for i in 1; do\r\n> echo $i; done', 'before')).toBe('for i in 1; do\necho $i; done');
    expect(typed('for i in 1; do\r\n> echo $i; done', 'for i in 1; do echo $i; done')).toBe(
      'for i in 1; do echo $i; done',
    );
    expect(typed('echo "a\r\n\x1b[?2004h.. b"\r\n\x1b[?2004l\r', 'x', '\x01\\e[1m\x02.. ')).toBe(
      'echo "a\nb"',
    );
    expect(typed('sudo !!\r\nsudo ls', 'before')).toBe('sudo ls');
  });

  it('has no exit status for a command without a prompt after it', () => {
    const start = `${prompt(1)}a\r\n${run(1, 'a')}x\r\n`;
    const [a, b] = commandsOf(`${start}P> b\r\n${mark('X;3;1;b')}y\r\n${prompt(4, 2)}`);
    expect(a?.end).toMatchObject({ exit_code: null, end_line: 3 });
    expect(b).toMatchObject({ command: 'b', cwd: null, start_line: 4, end: { exit_code: 2, end_line: 4 } });
  });

  it('leaves a running command open until the shell ends', () => {
    const stream = `${prompt(1)}exit 4\r\n${run(1, 'exit 4')}bye\r\n`;
    expect(commandsOf(stream)[0]?.end).toBeNull();
    expect(commandsOf(stream, 4)[0]?.end).toMatchObject({ exit_code: 4, end_line: 2 });
  });

  it('is read up to the damage when it is cut short or damaged', () => {
    const path = join(folder, 'x.commands');
    const log = new TerminalLog(path, () => '2026-01-13T10:30:00.000Z');
    log.resized({ columns: 80, rows: 24 });
    log.resized({ columns: 90, rows: 24 });
    const text = readFileSync(path, 'utf8');
    for (let end = 0; end <= text.length; end += 1) parseTerminalLog(text.slice(0, end));
    expect(parseTerminalLog(text.slice(0, -10)).sizes).toHaveLength(1);
    expect(parseTerminalLog(`nonsense\n{"type":"later"}\n${text}`).sizes).toHaveLength(2);
  });
});
