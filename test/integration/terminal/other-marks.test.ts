/** Commands typed where the marks come another way: from fish's events, or from VS Code's shell integration. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { Person, recording } from '../../fixtures/terminal/terminal.ts';

const hasFish = spawnSync('fish', ['-c', 'exit']).status === 0;
const hasBash = spawnSync('bash', ['-c', 'exit']).status === 0;
if (!hasFish) console.info('skipped: fish is not installed');

let place: Place;
let person: Person | null = null;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  person?.end();
  person = null;
  place.remove();
});

/** Returns text, status and folder of the typed commands, oldest first. */
async function typed() {
  const host = await createHost({ home: place.home, watch: false, threads: 0 });
  try {
    const { artifact_id } = recording(place).record;
    const { commands } = await host.terminalCommands({ artifact_id });
    return commands.toReversed().map(({ command, exit_code, cwd }) => [command, exit_code, cwd]);
  } finally {
    await host.close();
  }
}

describe.skipIf(!hasFish)('a fish', () => {
  const sit = async (args: readonly string[] = []) => {
    person = new Person(place, {
      args: ['--', 'fish', ...args],
      prompt: 'fish> ',
      env: { XDG_CONFIG_HOME: place.files },
    });
    await person.sees('Welcome to fish');
    await person.does('function fish_prompt; echo -n "fish"; echo -n "> "; end');
    return person;
  };

  it('has each command marked with its text, end and folder', async () => {
    const fish = await sit();
    await fish.does('sh -c "exit 3"');
    await fish.does("echo 'a;b\\\\c'; cd /usr");
    await fish.does('');
    await fish.does('for i in 1 2\recho $i\rend');
    fish.enter('exit 5');
    expect((await fish.exited).exitCode).toBe(5);
    const [first, ...others] = await typed();
    expect(first?.[0]).toMatch(/^function fish_prompt/);
    expect(others).toEqual([
      ['sh -c "exit 3"', 3, place.files],
      ["echo 'a;b\\\\c'; cd /usr", 0, place.files],
      [expect.stringMatching(/^for i in 1 2\n\s*echo \$i\nend$/), 0, '/usr'],
      ['exit 5', 5, '/usr'],
    ]);
    expect(fish.shown).not.toContain('Spillway=');
  });

  it('that is started with commands, as VS Code does it, is marked', async () => {
    const fish = await sit(['--init-command', 'set -g mine yes']);
    await fish.does('test $mine = yes');
    fish.enter('exit');
    await fish.exited;
    expect((await typed()).slice(1, 2)).toEqual([['test $mine = yes', 0, place.files]]);
  });
});

/** Marks as VS Code's script for bash writes them, as far as they are read. */
const VSCODE_SCRIPT = `
nonce=$VSCODE_NONCE; unset VSCODE_NONCE
PROMPT_COMMAND='s=$?; printf "\\e]633;D%s\\a\\e]633;P;Cwd=%s\\a" "\${ran:+;$s}" "$PWD"; ran='
PS1='\\[\\e]633;A\\a\\]$ \\[\\e]633;B\\a\\]'
PS0='\${ran:=}$(printf "\\e]633;E;%s;%s\\a\\e]633;C\\a" "$(history 1 | sed "s/ *[0-9]* *//")" "$nonce")\${x[ran=1]}'
`;

describe.skipIf(!hasBash)('a bash that VS Code starts', () => {
  it('has its commands from VS Code’s marks, which stay on the screen', async () => {
    person = new Person(place, {
      args: ['--', 'bash', '--init-file', join(place.files, 'user', 'vscode.sh')],
      dotFiles: { 'vscode.sh': VSCODE_SCRIPT },
      prompt: '\\$ ',
      env: { VSCODE_NONCE: 'the-nonce' },
    });
    await person.sees('$ ');
    await person.does('(exit 3)');
    await person.does('cd /usr');
    person.enter('exit 5');
    expect((await person.exited).exitCode).toBe(5);
    expect(await typed()).toEqual([
      ['(exit 3)', 3, place.files],
      ['cd /usr', 0, place.files],
      ['exit 5', 5, '/usr'],
    ]);
    expect(person.shown).toContain('\x1b]633;E;(exit 3);the-nonce\x07');
    expect(recording(place).bytes.toString()).toContain('\x1b]633;E;cd /usr;the-nonce\x07');
  });
});
