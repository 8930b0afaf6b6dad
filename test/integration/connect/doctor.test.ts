/** `spillway doctor` on connected agents: what each really does, and what keeps one from being recorded. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ClientState } from '../../../shared/agents.ts';
import { type ClientHome, makeClientHome } from '../../fixtures/agents/client-homes.ts';
import { cliEntry, type Finished, finished } from '../../fixtures/cli.ts';

let person: ClientHome;
let project: string;
beforeEach(() => {
  person = makeClientHome();
  project = join(person.folder, 'project');
  mkdirSync(join(project, '.claude'), { recursive: true });
});
afterEach(() => person.remove());

function spillway(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const options = { cwd: project, env: { ...person.env, ...env } };
  return finished(spawn(process.execPath, [cliEntry, ...args], options));
}

/** Runs the words as a user without root's rights. */
function bound(words: readonly string[]): Promise<Finished> {
  const without = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'];
  const [first, ...rest] = process.geteuid?.() === 0 ? [...without, ...words] : words;
  return finished(spawn(first!, rest, { cwd: project, env: person.env }));
}

interface Finding {
  name: string;
  status: string;
  found: string;
  todo: string | null;
}

async function findings(env: NodeJS.ProcessEnv = {}): Promise<Finding[]> {
  const { checks } = JSON.parse((await spillway(['doctor', '--json'], env)).stdout) as { checks: Finding[] };
  return checks.filter(({ name }) => name === 'agents' || name === 'recorder');
}

test('says of each connected agent whether its commands are recorded, and when one last was', async () => {
  expect(await findings()).toMatchObject([{ found: 'none is connected (spillway connect)' }]);
  await spillway(['connect', 'claude-code', 'gemini', '--record']);
  await spillway(['connect', 'cursor']);
  expect(await findings()).toMatchObject([
    { status: 'ok', found: 'Claude Code is connected; its commands are recorded, none so far' },
    {
      status: 'ok',
      found: expect.stringMatching(
        /^Gemini CLI is connected; its commands are recorded unless .*, none so far$/,
      ),
    },
    { status: 'ok', found: expect.stringMatching(/^Cursor is connected; its commands are not recorded: /) },
    { status: 'ok', found: expect.stringMatching(/^the server answers in \d+ ms/) },
    { status: 'ok', found: 'records commands with Perl' },
  ]);
  // As Claude Code runs a command.
  const command = `source /none 2>/dev/null || true && eval 'true' < /dev/null && pwd -P >| ${person.home}/cwd`;
  const BASH_ENV = join(person.home, 'bin/agents/claude-code.bash');
  await finished(spawn('/bin/bash', ['-c', command], { env: { ...person.env, BASH_ENV, SHLVL: '2' } }));
  const [claude] = await findings();
  expect(claude!.found).toMatch(/its commands are recorded, last .*(now|ago)$/);
});

test('compares what the agent says that it ran with what was recorded', async () => {
  await spillway(['connect', 'claude-code', '--record']);
  const session = '4842b901-a646-493b-a1f8-74c4b43529a5';
  const BASH_ENV = join(person.home, 'bin/agents/claude-code.bash');
  const env = { ...person.env, CLAUDE_CODE_CHILD_SESSION: '1', CLAUDE_CODE_SESSION_ID: session, SHLVL: '2' };
  const lines: object[] = [];
  for (const [index, command] of ['echo one', 'echo two', 'echo three'].entries()) {
    const id = `toolu_${index}`;
    const input = { type: 'tool_use', id, name: 'Bash', input: { command } };
    lines.push({ timestamp: new Date(), message: { content: [input] } });
    const given = `true && eval '${command}' < /dev/null && pwd -P >| ${person.home}/cwd`;
    const tasks = join(person.folder, `claude-1/p/${session}/tasks`);
    mkdirSync(tasks, { recursive: true });
    const output = openSync(join(tasks, `b${index}.output`), 'a');
    const recorded = index === 1 ? {} : { BASH_ENV };
    const stdio = ['ignore', output, output] as const;
    spawnSync('/bin/bash', ['-c', given], { env: { ...env, ...recorded }, stdio: [...stdio] });
    closeSync(output);
    const result = { type: 'tool_result', tool_use_id: id, content: command.slice(5), is_error: false };
    lines.push({ timestamp: new Date(), message: { content: [result] } });
  }
  const transcript = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  person.write(`.claude/projects/-p/${session}.jsonl`, transcript);
  const [, claude] = await findings();
  expect(claude).toMatchObject({
    status: 'warn',
    found: 'Claude Code: 2 of 3 commands of its last session were recorded, not `echo two`',
    todo: expect.stringContaining('start the agent again'),
  });
  const list = JSON.parse((await spillway(['connect', '--json'])).stdout) as { clients: ClientState[] };
  expect(list.clients.find(({ client }) => client === 'claude-code')?.last_session).toEqual({
    ...{ commands: 3, recorded: 2 },
    missing: [{ command: 'echo two', why: null }],
  });
  expect((await spillway(['connect'])).stdout).toContain('record; 2 of 3 commands of its last session');
});

test('says when an agent is recorded in part, or only if it is started in a certain way', async () => {
  await spillway(['connect', 'gemini', 'copilot', '--record']);
  const [gemini, copilot] = await findings();
  expect(gemini!.found).toContain(
    'its commands are recorded unless it gives them a terminal, as its screen does',
  );
  expect(copilot!.found).toContain(
    'its commands are recorded only when it is started with SHLVL=2 BASH_ENV=',
  );
  const { stdout } = await spillway(['connect']);
  expect(stdout).toContain('record, unless it gives them a terminal');
  expect(stdout).toContain('record, only when it is started with SHLVL=2 BASH_ENV=');
});

test('says when commands came in an envelope that is not known', async () => {
  await spillway(['connect', 'gemini', '--record']);
  const env = {
    ...person.env,
    ...{ GEMINI_CLI: '1', SHLVL: '2', BASH_ENV: join(person.home, 'bin/agents/gemini.bash') },
  };
  spawnSync('/bin/bash', ['-c', '{ echo new; } 2>&1; __status=$?'], { cwd: project, env });
  expect((await findings())[0]!.found).toMatch(
    /as the agent runs them: this version of Spillway does not know/,
  );
  expect((await spillway(['connect'])).stdout).toMatch(/; as the agent runs them: this version/);
});

test('names what keeps commands in this folder from being recorded', async () => {
  await spillway(['connect', 'claude-code', 'gemini', '--record']);
  const [off] = await findings({ SPILLWAY_OFF: '1' });
  expect(off).toMatchObject({ status: 'warn', todo: expect.stringContaining('SPILLWAY_OFF is set') });
  writeFileSync(join(project, '.claude/settings.local.json'), '{"env": {"BASH_ENV": "/etc/mine"}}');
  writeFileSync(join(project, '.env'), 'A=1\n');
  const [other, gemini] = await findings();
  expect(gemini!.todo).toContain('.env takes the place of the one in your home folder');
  expect(other!.todo).toBe('.claude/settings.local.json sets another BASH_ENV: remove it there');
});

test('says that nothing is recorded where captures cannot be written', async () => {
  await spillway(['connect', 'opencode', '--record']);
  const shell = join(person.home, 'bin/spillway-shell');
  const captures = join(person.home, 'captures');
  await bound([shell, '-c', 'echo one']);
  const [session] = readdirSync(captures);
  const folder = join(captures, session!);
  const long = new Date('2026-01-01');
  utimesSync(folder, long, long);
  const doctor = async () =>
    (
      JSON.parse((await bound([process.execPath, cliEntry, 'doctor', '--json'])).stdout) as {
        checks: Finding[];
      }
    ).checks;
  expect((await doctor()).filter(({ name }) => name === 'captures')).toEqual([]);
  expect(statSync(folder).mtime).toEqual(long);
  chmodSync(folder, 0o555);
  await bound([shell, '-c', 'echo two']);
  const checks = await doctor();
  chmodSync(folder, 0o700);
  expect(readdirSync(folder).filter((name) => name.endsWith('.meta.json'))).toHaveLength(1);
  expect(checks).toContainEqual({
    ...{ name: 'captures', status: 'fail', todo: `make it yours and writable: chmod u+rwx '${folder}'` },
    found: `${folder} cannot be written to (EACCES): nothing is recorded there`,
  });
  expect(checks.find(({ name }) => name === 'agents')).toMatchObject({
    status: 'warn',
    found: `opencode is connected; its commands are not recorded: ${folder} cannot be written to`,
  });
});

test('says when the recorder or an entry is gone', async () => {
  await spillway(['connect', 'claude-code', '--record']);
  rmSync(join(person.home, 'bin', 'recorder'), { recursive: true });
  expect((await findings()).at(-1)).toMatchObject({ name: 'recorder', status: 'warn' });
  rmSync(join(person.home, 'bin', 'agents'), { recursive: true });
  expect((await findings())[0]).toMatchObject({
    status: 'warn',
    todo: 'spillway connect claude-code --record',
  });
});

test('advises to record again what was recorded and is configured differently', async () => {
  await spillway(['connect', 'gemini', '--record=preview']);
  writeFileSync(join(person.folder, '.gemini/.env'), 'A=1\n');
  const [gemini] = await findings();
  expect(gemini).toMatchObject({ status: 'warn', todo: 'spillway connect gemini --record=preview' });
});
