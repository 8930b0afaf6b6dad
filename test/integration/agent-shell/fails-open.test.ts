/** The command runs once and unchanged, whatever is wrong with Spillway. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unknownEnvelopeSince } from '../../../electron/agent-shell/install.ts';
import { bashEntry, shellEntryScript } from '../../../electron/agent-shell/program.ts';
import { type AgentShell, makeAgentShell, ran } from '../../fixtures/agents/shell.ts';

let place: AgentShell;
beforeEach(() => {
  place = makeAgentShell();
});
afterEach(() => place.remove());

/** Leaves a mark each time it runs. */
const COMMAND = 'echo ran >> marks; echo out; echo err >&2; exit 7';
const CLAUDE = (command: string) =>
  `source /nonexistent 2>/dev/null || true && eval '${command}' < /dev/null && pwd -P >| ${place.files}/cwd`;
const DONE = { status: 7, signal: null, stdout: 'out\n', stderr: 'err\n' };

async function expectBare(path: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  expect(await ran(path, args, { cwd: place.files, env })).toEqual(DONE);
  expect(readFileSync(join(place.files, 'marks'), 'utf8')).toBe('ran\n');
}

const FAULTS: [string, (home: string) => void][] = [
  ['is closed to nobody', (home) => chmodSync(home, 0o755)],
  ['is gone', (home) => renameSync(home, `${home}-gone`)],
  [
    'is a file',
    (home) => {
      renameSync(home, `${home}-gone`);
      writeFileSync(home, '');
    },
  ],
  ['has a file for its captures', (home) => writeFileSync(join(home, 'captures'), '')],
  ['has a link for its captures', (home) => symlinkSync('/tmp', join(home, 'captures'))],
  [
    'has settings that are no JSON',
    (home) => writeFileSync(join(home, 'config.json'), '{"recordExclude": ['),
  ],
  ['has a broken pattern', (home) => writeFileSync(join(home, 'config.json'), '{"recordExclude": ["("]}')],
  [
    'has a recorder without its end',
    (home) => {
      const core = join(home, 'bin/recorder/core.pl');
      truncateSync(core, statSync(core).size - 20);
    },
  ],
  [
    'has a recorder that Perl complains about',
    (home) => writeFileSync(join(home, 'bin/recorder/core.pl'), 'W`x` 1 `y`\n'),
  ],
  [
    'has no rare parts',
    (home) => {
      for (const name of ['hash', 'lasting', 'parse', 'rest', 'signals', 'watch'])
        rmSync(join(home, 'bin/recorder', `${name}.pl`));
    },
  ],
  [
    'has rare parts without their functions',
    (home) => {
      for (const name of [
        'hash',
        'lasting',
        'overflow',
        'parse',
        'preview',
        'redact',
        'rest',
        'signals',
        'watch',
      ])
        writeFileSync(join(home, 'bin/recorder', `${name}.pl`), 'x\n');
    },
  ],
];

describe.each(FAULTS)('a home that %s', (name, spoil) => {
  // Where the home is a file, bash itself complains about the path, recorded or not.
  test.skipIf(name === 'is a file')('for BASH_ENV', async () => {
    const entry = place.entry('claude-code');
    spoil(place.home);
    await expectBare('/bin/bash', ['-c', CLAUDE(COMMAND)], { BASH_ENV: entry, SHLVL: '2' });
  });

  test('for spillway-shell', async () => {
    if (!existsSync(place.shell)) return;
    const copy = join(place.root, 'copy');
    writeFileSync(copy, readFileSync(place.shell), { mode: 0o700 });
    spoil(place.home);
    await expectBare(copy, ['-c', COMMAND]);
  });
});

test('no Perl', async () => {
  const options = { home: place.home, perl: '/nonexistent/perl', mode: 'record' as const };
  const entry = join(place.root, 'entry.bash');
  writeFileSync(entry, bashEntry('claude-code', options));
  await expectBare('/bin/bash', ['-c', CLAUDE(COMMAND)], { BASH_ENV: entry, SHLVL: '2' });
  rmSync(join(place.files, 'marks'));
  const shell = join(place.root, 'shell');
  writeFileSync(shell, shellEntryScript({ ...options, agent: 'x', shell: '/bin/bash', hasBash: false }), {
    mode: 0o700,
  });
  await expectBare(shell, [COMMAND]);
  expect(place.records()).toEqual([]);
});

test('a full disk', async () => {
  // With no file allowed to grow, nothing can be recorded. The command writes to no file and goes on.
  const result = await ran(
    '/bin/bash',
    ['-c', `ulimit -f 0; exec "$0" -c 'seq 1 50000; exit 7'`, place.shell],
    { cwd: place.files },
  );
  expect(result).toMatchObject({ status: 7, stderr: '' });
  expect(result.stdout.length).toBe(288894);
});

test('SPILLWAY_OFF, excluded commands and excluded folders are not recorded', async () => {
  const other = join(place.files, 'other');
  mkdirSync(other);
  writeFileSync(
    join(place.home, 'config.json'),
    JSON.stringify({ recordExclude: ['^git (push|pull)'], recordExcludeFolders: [other] }),
  );
  await ran(place.shell, ['-c', 'echo off'], { cwd: place.files, env: { SPILLWAY_OFF: '1' } });
  await ran(place.shell, ['-c', 'git push nowhere'], { cwd: place.files });
  await ran(place.shell, ['-c', 'echo other'], { cwd: other });
  await ran(place.shell, ['-c', 'echo on'], { cwd: place.files });
  expect(place.records().map(({ command }) => command)).toEqual(['echo on']);
});

describe("what is no call of the agent's shell tool is not recorded", () => {
  test.each([
    ['a hook', 'claude-code', 'echo out; echo err >&2; exit 7', {}],
    [
      'the snapshot script of Codex',
      'codex',
      ': __CODEX_SNAPSHOT_X; echo out; echo err >&2; exit 7',
      { CODEX_THREAD_ID: 'x' },
    ],
    ['a program of Gemini', 'gemini', 'echo out; echo err >&2; exit 7', {}],
  ] as const)('%s', async (_, agent, command, env) => {
    const result = await ran('/bin/bash', ['-c', command], {
      cwd: place.files,
      env: { BASH_ENV: place.entry(agent), SHLVL: '2', ...env },
    });
    expect(result).toEqual(DONE);
    expect(place.records()).toEqual([]);
  });

  test.each([
    ['codex', 'CODEX_THREAD_ID'],
    ['gemini', 'GEMINI_CLI'],
    ['copilot', 'COPILOT_AGENT_SESSION_ID'],
  ] as const)('a shell that a command of %s starts', async (agent, variable) => {
    const inner = `BASH_ENV=${place.entry(agent)} SHLVL=2 bash -c 'echo inner'; echo outer`;
    const result = await ran('/bin/bash', ['-c', inner], { cwd: place.files, env: { [variable]: 'x' } });
    expect(result.stdout).toBe('inner\nouter\n');
    expect(place.records()).toEqual([]);
  });

  test.each(['claude-code', 'codex', 'gemini', 'copilot'] as const)(
    'and finds $_ and its variables as they are without Spillway, for %s',
    async (agent) => {
      const command = 'echo "$_"; compgen -v | grep -vx BASH_ENV; declare -F; echo "$-$?$#"';
      const run = (env: NodeJS.ProcessEnv) => ran('/bin/bash', ['-c', command], { cwd: place.files, env });
      const bare = await run({ SHLVL: '2' });
      const entered = { BASH_ENV: place.entry(agent), SHLVL: '2' };
      expect(await run(entered)).toEqual(bare);
      expect(place.records()).toEqual([]);
    },
  );

  test('a login shell, whose profile must not be read twice', async () => {
    const env = { BASH_ENV: place.entry('claude-code'), SHLVL: '2', HOME: place.files };
    writeFileSync(join(place.files, '.bash_profile'), 'echo profile\n');
    const result = await ran('/bin/bash', ['-l', '-c', CLAUDE('echo out')], { cwd: place.files, env });
    expect(result.stdout).toBe('profile\nout\n');
  });
});

test('a shell inside a recorded command is not recorded again', async () => {
  const env = { BASH_ENV: place.entry('claude-code'), SHLVL: '2' };
  const inner = CLAUDE('echo inner').replaceAll("'", `'"'"'`);
  const { stdout } = await ran(
    '/bin/bash',
    ['-c', CLAUDE(`bash -c "echo inner"; echo \${BASH_ENV-none}; : ${inner.length}`)],
    { cwd: place.files, env },
  );
  expect(stdout).toBe('inner\nnone\n');
  expect(place.records().map(({ command }) => command?.slice(0, 20))).toEqual(['bash -c "echo inner"']);
});

test('the envelope of Claude Code comes off, however it quotes', async () => {
  const env = { BASH_ENV: place.entry('claude-code'), SHLVL: '2' };
  const command = `echo "it's" '\\$x'; printf 'a b'`;
  const quoted = `'${command.replaceAll("'", `'"'"'`)}'`;
  const line = `source /x 2>/dev/null || true && shopt -u extglob 2>/dev/null || true && eval ${quoted} < /dev/null && pwd -P >| ${place.files}/cwd`;
  const { stdout } = await ran('/bin/bash', ['-c', line], { cwd: place.files, env });
  expect(stdout).toBe(`it's \\$x\na b`);
  expect(place.records()[0]).toMatchObject({ command, agent: { name: 'claude-code' } });
  expect(readFileSync(join(place.files, 'cwd'), 'utf8')).toBe(`${place.files}\n`);
  // A single word has no quotes.
  await ran('/bin/bash', ['-c', line.replace(quoted, 'true')], { cwd: place.files, env });
  expect(place.records()[1]).toMatchObject({ command: 'true', status: 'succeeded' });
});

const GEMINI = (command: string) =>
  `shopt -u promptvars nullglob; _bgpids_file=${place.files}/bgpids.tmp\n(\n  trap 'jobs -p > "$_bgpids_file"' EXIT\n${command}\n)\n__code=$?\nexit $__code`;

test('the envelope of Gemini CLI comes off', async () => {
  const env = { BASH_ENV: place.entry('gemini'), SHLVL: '2' };
  const commands = ['(echo one)\nfalse', `: '${' '.repeat(100_000)})'`, 'echo "\n)\n__code=$?\n"; false'];
  for (const command of commands) await ran('/bin/bash', ['-c', GEMINI(command)], { cwd: place.files, env });
  expect(place.records().map(({ command }) => command)).toEqual(commands);
  expect(place.records()[0]).toMatchObject({ status: 'failed', agent: { name: 'gemini' } });
});

test('the envelope of Claude Code comes off a command of 100,000 characters and quotes', async () => {
  const env = { BASH_ENV: place.entry('claude-code'), SHLVL: '2' };
  const commands = [`: ${"'x' ".repeat(10_000)}`, `: ${'word'.repeat(25_000)}`, `: '${' '.repeat(100_000)}'`];
  for (const command of commands) {
    const line = `source /x 2>/dev/null || true && eval '${command.replaceAll("'", `'"'"'`)}' < /dev/null && pwd -P >| ${place.files}/cwd`;
    await ran('/bin/bash', ['-c', line], { cwd: place.files, env });
  }
  expect(place.records().map(({ command }) => command)).toEqual(commands);
});

describe('a command in an envelope that is not known is recorded whole', () => {
  test('of Gemini CLI', async () => {
    const env = { BASH_ENV: place.entry('gemini'), SHLVL: '2', GEMINI_CLI: '1' };
    const line = '{ echo new; } 2>&1; __status=$?';
    expect(unknownEnvelopeSince(place.home, 'gemini')).toBeNull();
    const { stdout } = await ran('/bin/bash', ['-c', line], { cwd: place.files, env });
    expect(stdout).toBe('new\n');
    expect(place.records().map(({ command }) => command)).toEqual([line]);
    expect(unknownEnvelopeSince(place.home, 'gemini')).toMatch(/^\d{4}-/);
    // A version that knows it may have been installed.
    place.entry('gemini');
    expect(unknownEnvelopeSince(place.home, 'gemini')).toBeNull();
  });

  test('of Claude Code, if its output goes to a task of it', async () => {
    const env = { BASH_ENV: place.entry('claude-code'), SHLVL: '2', CLAUDE_CODE_CHILD_SESSION: '1' };
    const tasks = join(place.root, 'claude-0/project/session/tasks');
    mkdirSync(tasks, { recursive: true });
    const line = "eval 'echo new' && pwd > cwd";
    await ran('/bin/bash', ['-c', line], { cwd: place.files, env });
    expect(place.records()).toEqual([]);
    const file = openSync(join(tasks, 'b1.output'), 'a');
    spawnSync('/bin/bash', ['-c', line], { cwd: place.files, env, stdio: ['ignore', file, file] });
    closeSync(file);
    expect(place.records().map(({ command }) => command)).toEqual([line]);
    expect(unknownEnvelopeSince(place.home, 'claude-code')).not.toBeNull();
  });
});

test('a conversation outside a repository stays one session when it changes the folder', async () => {
  const env = { BASH_ENV: place.entry('codex'), SHLVL: '2', CODEX_THREAD_ID: 'one', CODEX_SESSION_ID: 'one' };
  mkdirSync(join(place.files, 'sub'));
  for (const cwd of [place.files, join(place.files, 'sub')])
    await ran('/bin/bash', ['-c', 'pwd'], { cwd, env });
  expect(place.records().map(({ session }) => session)).toEqual(['codex files one', 'codex files one']);
});
