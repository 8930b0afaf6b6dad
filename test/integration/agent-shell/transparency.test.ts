/**
 * Recording changes nothing for a command: bytes, status, signals, descriptors, environment. Each run tries each
 * command in two of five ways to connect it, `npm test -- --full` in all.
 */

import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AgentShell, makeAgentShell, type Ran, ran } from '../../fixtures/agents/shell.ts';
import { isOnTurn } from '../../fixtures/sizes.ts';
import { TRANSPARENT, type TransparentCommand } from '../../fixtures/transparency/commands.ts';

let place: AgentShell;
beforeAll(() => {
  place = makeAgentShell();
});
afterAll(() => place.remove());

const env = {
  'odd.name': '1',
  'BASH_FUNC_greet%%': '() {  echo greetings\n}',
  PERL5OPT: '-w',
  PERL_UNICODE: 'S',
  LC_ALL: 'C.UTF-8',
  SHLVL: '1',
};

/** A shell whose outputs are one appended file, as Claude Code's are. */
function intoFile(path: string, args: string[]): Promise<Ran> {
  const file = join(mkdtempSync(join(place.root, 'out-')), 'output');
  const fd = openSync(file, 'ax');
  const child = spawn(path, args, {
    cwd: place.files,
    env: { ...process.env, ...env },
    stdio: ['ignore', fd, fd],
    detached: true,
  });
  closeSync(fd);
  return new Promise((resolve) =>
    child.once('exit', (status, signal) =>
      resolve({ status, signal, stdout: readFileSync(file, 'latin1'), stderr: '' }),
    ),
  );
}

const ways = {
  'on two sockets': (path: string, args: string[]) =>
    ran(path, args, { cwd: place.files, env, detached: true }),
  'not leading its group': (path: string, args: string[]) => ran(path, args, { cwd: place.files, env }),
  'into one file': intoFile,
  'on two pipes': (path: string, args: string[]) =>
    ran(
      '/bin/bash',
      [
        '-c',
        '{ { "$@" 2>&3 | cat >&4; exit $PIPESTATUS; } 3>&1 | cat >&2; exit $PIPESTATUS; } 4>&1',
        'x',
        path,
        ...args,
      ],
      { cwd: place.files, env },
    ),
  'on one pipe': (path: string, args: string[]) =>
    ran('/bin/bash', ['-c', '"$@" 2>&1 | cat; exit $PIPESTATUS', 'x', path, ...args], {
      cwd: place.files,
      env,
    }),
};

const WAYS = Object.values(ways);
/** Whether this run tries a command in a way. One that ends its group must have one of its own. */
function isChosen({ group }: TransparentCommand, at: number, way: number): boolean {
  if (group) return WAYS[way] === ways['on two sockets'] || WAYS[way] === intoFile;
  return isOnTurn(at + way, WAYS.length) || isOnTurn(at + way + 2, WAYS.length);
}
const chosen = WAYS.map((_, way) => TRANSPARENT.filter((command, at) => isChosen(command, at, way)));

describe.each(Object.keys(ways).map((name, way) => ({ name, way })))('$name', ({ way }) => {
  const run = WAYS[way]!;
  test.each(chosen[way]!)('$name', async ({ command, varies }) => {
    const bare = await run('/bin/bash', ['-c', command]);
    const recorded = await run(place.shell, ['-c', command]);
    const known = (result: Ran) => ({
      ...result,
      stdout: withoutNumbers(result.stdout),
      stderr: withoutNumbers(result.stderr),
    });
    if (varies) expect({ ...recorded, stdout: '', stderr: '' }).toEqual({ ...bare, stdout: '', stderr: '' });
    else expect(known(recorded)).toEqual(known(bare));
  });
});

/** Bash names itself, and numbers of processes, in some of its messages. */
function withoutNumbers(text: string): string {
  return text.replace(/\(\d+\)|\b\d+ (Killed|Terminated)/g, 'PID');
}

/** Redirections with which the shell starts, and a command that tells about its streams on one that is open. */
const CLOSED: readonly [redirection: string, command: string][] = [
  ['<&-', 'cat; echo "status $?"; [ -e /proc/$$/fd/0 ] && echo open'],
  ['>&-', 'echo x; echo "status $?" >&2; [ -e /proc/$$/fd/1 ] && echo open >&2'],
  ['2>&-', 'echo x >&2; echo "status $?"; cat <&2; [ -e /proc/$$/fd/2 ] && echo open'],
  ['<&- 2>&-', 'for fd in 0 2; do [ -e /proc/$$/fd/$fd ] && echo open $fd; done'],
  ['>&- 2>&-', '[ -e /proc/$$/fd/1 ] || [ -e /proc/$$/fd/2 ]'],
  ['<&- >&-', 'ls | wc -l; for fd in 0 1; do [ -e /proc/$$/fd/$fd ] && echo open $fd; done >&2'],
];
test.each(CLOSED)('a shell that starts with %s', async (redirection, command) => {
  const start = (shell: string) =>
    ran('/bin/bash', ['-c', `exec "$@" ${redirection}`, 'x', shell, '-c', command], {
      cwd: place.files,
      env,
    });
  expect(await start(place.shell)).toEqual(await start('/bin/bash'));
});

test('all of them were recorded', () => {
  expect(place.records().length).toBeGreaterThan(0.95 * chosen.flat().length);
});
