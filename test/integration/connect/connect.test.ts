/** `spillway connect`, on folders laid out as the clients write them. */

import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientNamed } from '../../../electron/agents/agents.ts';
import { connect as connectClient } from '../../../electron/connect/connect.ts';
import { placeFor } from '../../../electron/connect/place.ts';
import type { ClientState, ConnectResult } from '../../../shared/agents.ts';
import { type ClientHome, CONFIGS, makeClientHome } from '../../fixtures/agents/client-homes.ts';
import { cliEntry, type Finished, finished } from '../../fixtures/cli.ts';
import { runHere } from '../../fixtures/cli-here.ts';

let person: ClientHome;
beforeEach(() => {
  person = makeClientHome();
});
afterEach(() => person.remove());

function connect(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  return runHere(['connect', ...args], { folder: person.folder, env: { ...person.env, ...env } });
}

async function connected(...args: string[]): Promise<ConnectResult[]> {
  const { stdout, stderr, status } = await connect([...args, '--json']);
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return JSON.parse(stdout).clients;
}

/** Connects as the window does: shows the change first. */
async function agreedTo(id: string): Promise<ConnectResult> {
  const place = placeFor([process.execPath, cliEntry], person.env);
  const inFolder = { ...place, machine: { ...place.machine, folder: person.folder } };
  const shown = await connectClient(clientNamed(id), inFolder, { record: null, print: true });
  const agreed = shown.change_id;
  await connectClient(clientNamed(id), inFolder, { record: null, print: false, agreed });
  return shown;
}

const CLIENTS = {
  'claude-code': ['.claude.json', '.claude/settings.json'],
  codex: ['.codex/config.toml'],
  gemini: ['.gemini/settings.json', '.gemini/.env'],
  opencode: ['.config/opencode/opencode.jsonc'],
  copilot: ['.copilot/mcp-config.json'],
  qwen: ['.qwen/settings.json'],
  cline: ['.cline/data/settings/cline_mcp_settings.json'],
  cursor: ['.cursor/mcp.json'],
  vscode: ['.config/Code/User/mcp.json'],
  'claude-desktop': ['.config/Claude/claude_desktop_config.json'],
  amp: ['.config/amp/settings.json'],
};
const RECORDED = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot'];

test('alone it says which clients are here and how they stand', async () => {
  const { stdout } = await finished(
    spawn(process.execPath, [cliEntry, 'connect', '--json'], { cwd: person.folder, env: person.env }),
  );
  const { clients } = JSON.parse(stdout) as { clients: ClientState[] };
  expect(clients.map(({ client }) => client)).toEqual(Object.keys(CLIENTS));
  expect(clients.every(({ installed, state }) => installed && state === 'not connected')).toBe(true);
  expect(clients.filter((one) => one.not_recordable === null).map(({ client }) => client)).toEqual(RECORDED);
  expect((await connect([])).stdout).toContain('claude-code');
  expect(existsSync(person.home)).toBe(false);
});

describe.each(Object.entries(CLIENTS))('%s', (client, files) => {
  test('is connected, once, and is exactly as before when it is removed', async () => {
    const [first] = await connected(client, '--record');
    expect(first!.handshake).toMatchObject({ ok: true, problem: null });
    expect(first!.changes.length).toBeGreaterThan(0);
    const after = files.map((name) => person.read(name));
    expect(after.join('')).toContain('spillway');
    const { clients } = JSON.parse((await connect(['--json'])).stdout) as { clients: ClientState[] };
    const record = RECORDED.includes(client) ? 'record' : null;
    expect(clients.find((one) => one.client === client)).toMatchObject({ state: 'connected', record });
    const [second] = await connected(client, '--record');
    expect(second!.changes).toEqual([]);
    expect(files.map((name) => person.read(name))).toEqual(after);
    await connected(client, '--remove');
    expect(files.map((name) => person.read(name))).toEqual(files.map((name) => CONFIGS[name]));
    expect((await connected(client, '--remove'))[0]!.changes).toEqual([]);
  });

  test('keeps what others change meanwhile', async () => {
    await connected(client, '--record');
    const name = files[0]!;
    const theirs = person.read(name);
    const changed = name.endsWith('.toml')
      ? `${theirs}\n[theirs]\nkey = 1\n`
      : theirs.replace('{', '{ "theirs": {"key": 1},');
    person.write(name, changed);
    await connected(client, '--remove');
    const left = person.read(name);
    expect(left).toContain('theirs');
    expect(left).not.toContain('spillway');
    const comments = (CONFIGS[name]!.match(/(?:\/\/|#) .*/g) ?? []).filter((one) => !one.includes('"'));
    for (const comment of comments) expect(left).toContain(comment);
  });

  test('a client without any file gets one, and none is left behind', async () => {
    for (const name of files) renameSync(join(person.folder, name), join(person.folder, `${name}.gone`));
    await connected(client, '--record');
    expect(existsSync(join(person.folder, files[0]!)) || client === 'opencode').toBe(true);
    await connected(client, '--remove');
    for (const name of files) expect(existsSync(join(person.folder, name))).toBe(false);
  });
});

test('--print shows the change and makes none', async () => {
  const { stdout, status } = await connect(['codex', '--record', '--print']);
  expect(status).toBe(0);
  expect(stdout).toContain('+ [mcp_servers.spillway]');
  expect(stdout).toContain('"/data", "');
  expect(person.read('.codex/config.toml')).toBe(CONFIGS['.codex/config.toml']);
  expect(existsSync(person.home)).toBe(false);
});

test.each([
  ['codex', ['--inspect-port=192.0.2.1:65535', 'BASH_ENV', 'SHLVL', 'writable_roots', 'SPILLWAY_HOME']],
  ['claude-code', ['--inspect-port=192.0.2.1:65535', 'BASH_ENV', 'SHLVL', 'SPILLWAY_HOME']],
  ['opencode', ['--inspect-port=192.0.2.1:65535', 'spillway-shell', 'SPILLWAY_HOME']],
])('--print says why it sets what it sets in %s', async (client, settings) => {
  const { stdout } = await connect([client, '--record', '--print']);
  const [, why = ''] = stdout.split('Why:\n');
  expect(why.match(/^ {2}[^ ]+(?=: \w)/gm)?.map((text) => text.trim())).toEqual(settings);
  const { stdout: removal } = await connect([client, '--remove', '--print']);
  expect(removal).not.toContain('Why:');
});

test('recording is switched on and off without touching the rest', async () => {
  await connected('claude-code');
  expect(person.read('.claude/settings.json')).toBe(CONFIGS['.claude/settings.json']);
  await connected('claude-code', '--record=preview');
  expect(JSON.parse(person.read('.claude/settings.json')).env).toEqual({
    EDITOR: 'vi',
    BASH_ENV: join(person.home, 'bin/agents/claude-code.bash'),
    SHLVL: '2',
  });
  expect(statSync(person.home).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(person.home, 'bin/agents/claude-code.bash'), 'utf8')).toContain(
    ' claude-code preview ',
  );
  await connected('claude-code');
  expect(person.read('.claude/settings.json')).toBe(CONFIGS['.claude/settings.json']);
  expect(existsSync(join(person.home, 'bin/agents/claude-code.bash'))).toBe(false);
});

test('a change of how commands are recorded is said, also where no file of the client changes', async () => {
  await connect(['codex', '--record']);
  const said = async (...args: string[]) => (await connect(['codex', ...args])).stdout;
  expect(await said('--record')).toMatch(/already: nothing changes\nCommands it runs are recorded;/);
  expect(await said('--record=preview', '--print')).toMatch(
    /already\nCommands it runs would be recorded, and long output would reach it as a preview\n/,
  );
  expect(await said('--record=preview')).toMatch(
    /already\nCommands it runs are recorded, and long output reaches it as a preview;/,
  );
  expect(await said('--record=redact')).toMatch(
    /already\nCommands it runs are recorded, and their output reaches it with its secrets masked;/,
  );
  expect(readFileSync(join(person.home, 'bin/agents/codex.bash'), 'utf8')).toContain(' codex redact ');
  expect(await said('--print')).toContain('Commands it runs would no longer be recorded\n');
  expect(await said()).toContain('Commands it runs are no longer recorded\n');
  expect(await said()).toMatch(/already: nothing changes\nThe server/);
});

test('what --record promises is there, and --remove leaves none of it', async () => {
  const bin = join(person.home, 'bin');
  await connected('claude-code', '--record');
  const shell = spawn(join(bin, 'spillway-shell'), ['echo one; exit 3'], { env: person.env });
  expect(await finished(shell)).toMatchObject({ stdout: 'one\n', status: 3 });
  await connected('opencode', '--record');
  expect(readFileSync(join(bin, 'spillway-shell'), 'utf8')).toContain('opencode');
  await connected('opencode', '--remove');
  expect(readFileSync(join(bin, 'spillway-shell'), 'utf8')).not.toContain('opencode');
  await connected('claude-code', '--remove');
  expect([bin, join(person.home, 'connect')].filter((path) => existsSync(path))).toEqual([]);
});

test.each<[string, string, (text: string) => string]>([
  [
    'opencode',
    '.config/opencode/opencode.jsonc',
    (text) => text.replace(/"[^"]*spillway-shell"/, '"/bin/dash"'),
  ],
  ['codex', '.codex/config.toml', (text) => text.replace(/^BASH_ENV = .*$/m, '')],
  ['gemini', '.gemini/.env', (text) => text.replace(/^SHLVL=.*$/m, 'SHLVL=1')],
])(
  '%s, whose file no longer leads to the recorder, is not listed as recorded',
  async (client, name, edit) => {
    await connected(client, '--record');
    const text = person.read(name);
    person.write(name, edit(text));
    expect(person.read(name)).not.toBe(text);
    const state = async () =>
      (JSON.parse((await connect(['--json'])).stdout).clients as ClientState[]).find(
        (one) => one.client === client,
      );
    expect(await state()).toMatchObject({ state: 'outdated', record: null });
    person.write(name, text);
    expect(await state()).toMatchObject({ state: 'connected', record: 'record' });
    renameSync(join(person.home, 'bin'), join(person.home, 'gone'));
    expect(await state()).toMatchObject({ state: 'outdated', record: null });
  },
);

test('--record before a name does not take the name for its value', async () => {
  const [done] = await connected('--record', 'codex');
  expect(done).toMatchObject({ client: 'codex', record: 'record' });
});

test('what was set before is set again', async () => {
  person.write(
    '.config/opencode/opencode.jsonc',
    '{ "mcp": { "spillway": { "type": "remote", "url": "x" } } }\n',
  );
  await agreedTo('opencode');
  expect(JSON.parse(person.read('.config/opencode/opencode.jsonc')).mcp.spillway.type).toBe('local');
  person.write(
    '.config/opencode/opencode.jsonc',
    person.read('.config/opencode/opencode.jsonc').replace('{', '{ "a": 1,'),
  );
  await connected('opencode', '--remove');
  expect(JSON.parse(person.read('.config/opencode/opencode.jsonc'))).toEqual({
    a: 1,
    mcp: { spillway: { type: 'remote', url: 'x' } },
  });
});

test('removes what a Spillway whose home has gone has written', async () => {
  await connected('claude-code', 'codex', '--record');
  for (const name of ['claude-code', 'codex'])
    renameSync(join(person.home, 'connect', `${name}.json`), join(person.home, `${name}.gone`));
  await connected('claude-code', 'codex', '--remove');
  expect(JSON.parse(person.read('.claude/settings.json'))).toEqual(
    JSON.parse(CONFIGS['.claude/settings.json']!),
  );
  expect(person.read('.codex/config.toml')).not.toContain('spillway');
  expect(person.read('.codex/config.toml')).toContain('"/data", # big');
});

describe('is refused, and nothing is changed', () => {
  test.each([
    [
      'claude-code',
      '.claude.json',
      '{ // mine\n}',
      /line 1 has a comment, which this file may not have.*correct it/,
    ],
    ['gemini', '.gemini/settings.json', '{\n "a": 1,\n}', /line 3 has a comma after the last item/],
    ['codex', '.codex/config.toml', 'a = \n', /config\.toml cannot be read: line/],
    ['qwen', '.qwen/settings.json', '{"a": 1', /settings\.json cannot be read/],
    [
      'opencode',
      '.config/opencode/opencode.jsonc',
      '{"shell": "/bin/fish"}',
      /sets shell to "\/bin\/fish", a shell of your own/,
    ],
    ['claude-code', '.claude/settings.json', '{"env": {"BASH_ENV": "/x"}}', /sets env\.BASH_ENV to "\/x"/],
  ])('%s with %s holding %j', async (client, name, text, message) => {
    person.write(name, text);
    const { status, stderr, stdout } = await connect([client, '--record']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect(person.read(name)).toBe(text);
    expect(existsSync(join(person.home, 'connect'))).toBe(false);
  });

  test('bytes that are no UTF-8', async () => {
    writeFileSync(join(person.folder, '.qwen/settings.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    expect((await connect(['qwen'])).stderr).toContain('is not UTF-8 text');
  });

  test('a client that there is not', async () => {
    expect((await connect(['claud-code'])).stderr).toBe(
      `spillway: there is no client "claud-code": did you mean claude-code? The clients are ${Object.keys(CLIENTS).join(', ')}\n`,
    );
  });

  test('tells which BASH_ENV is set already', async () => {
    expect((await connect(['codex', '--record'], { BASH_ENV: '/etc/mine' })).stderr).toContain(
      'BASH_ENV is /etc/mine',
    );
  });
});

test('a file that is a link stays one, and modes are kept', async () => {
  const real = join(person.folder, 'dotfiles.json');
  renameSync(join(person.folder, '.qwen/settings.json'), real);
  chmodSync(real, 0o640);
  symlinkSync(real, join(person.folder, '.qwen/settings.json'));
  await connected('qwen');
  expect(lstatSync(join(person.folder, '.qwen/settings.json')).isSymbolicLink()).toBe(true);
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(readFileSync(real, 'utf8')).toContain('spillway');
});

test.each([
  ['qwen', 'QWEN_HOME', 'settings.json'],
  ['copilot', 'COPILOT_HOME', 'mcp-config.json'],
  ['cline', 'CLINE_DIR', 'data/settings/cline_mcp_settings.json'],
  ['claude-code', 'CLAUDE_CONFIG_DIR', '.claude.json'],
  ['codex', 'CODEX_HOME', 'config.toml'],
])('%s is found where %s says', async (client, variable, name) => {
  const folder = join(person.folder, 'elsewhere');
  const { status } = await connect([client], { [variable]: folder });
  expect(status).toBe(0);
  expect(readFileSync(join(folder, name), 'utf8')).toContain('spillway');
  for (const file of CLIENTS[client as keyof typeof CLIENTS]) expect(person.read(file)).toBe(CONFIGS[file]);
});

test('an empty folder is no client', async () => {
  rmSync(join(person.folder, '.qwen'), { recursive: true });
  mkdirSync(join(person.folder, '.qwen'));
  const { clients } = JSON.parse((await connect(['--json'])).stdout) as { clients: ClientState[] };
  expect(clients.filter(({ installed }) => !installed).map(({ client }) => client)).toEqual(['qwen']);
});

test('a link that leads nowhere is named, and left', async () => {
  const link = join(person.folder, '.qwen/settings.json');
  rmSync(link);
  symlinkSync('/nowhere/settings.json', link);
  const { status, stderr } = await connect(['qwen']);
  expect(status).toBe(2);
  expect(stderr).toContain(`${link} is a link to /nowhere/settings.json, which does not exist`);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  const folder = join(person.folder, '.codex');
  rmSync(folder, { recursive: true });
  symlinkSync('/nowhere', folder);
  const broken = `${folder} is a link to /nowhere, which does not exist`;
  expect(await connect(['codex'])).toMatchObject({ status: 2, stderr: expect.stringContaining(broken) });
});

describe.each([
  ['a server of another program', '{ "command": "dam", "args": ["open"] }', 'dam'],
  ['another Spillway', '{ "command": "npx", "args": ["@dams/spillway", "mcp"] }', '@dams'],
  ['one that a person wrote', '{ "command": "spillway", "args": ["mcp"], "timeout": 5 }', 'timeout'],
])('%s with the name of ours', (_, entry, word) => {
  const theirs = `{ "mcpServers": { "spillway": ${entry} } }`;
  beforeEach(() => person.write('.qwen/settings.json', theirs));

  test('is not replaced unseen', async () => {
    const { status, stderr } = await connect(['qwen']);
    expect(status).toBe(2);
    expect(stderr).toContain(
      '.qwen/settings.json has another server with the name spillway; nothing was changed',
    );
    expect(person.read('.qwen/settings.json')).toBe(theirs);
    expect((await connect(['qwen', '--remove'])).stdout).toContain('has nothing of Spillway');
    expect(person.read('.qwen/settings.json')).toBe(theirs);
  });

  test('is replaced when the change was shown and agreed to, and comes back', async () => {
    const shown = await agreedTo('qwen');
    expect(shown.changes[0]!.lines.join()).toContain(word);
    expect(person.read('.qwen/settings.json')).not.toContain(word);
    await connected('qwen', '--remove');
    expect(JSON.parse(person.read('.qwen/settings.json'))).toEqual(JSON.parse(theirs));
  });
});

test("no program of a client's is started", async () => {
  const programs = join(person.folder, 'programs');
  mkdirSync(programs);
  for (const name of ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen', 'cline'])
    writeFileSync(join(programs, name), `#!/bin/sh\ntouch ${person.folder}/started\n`, { mode: 0o700 });
  await connect(Object.keys(CLIENTS), { PATH: `${programs}:${process.env.PATH}` });
  expect(existsSync(join(person.folder, 'started'))).toBe(false);
});

test('the home is named where the client would not find it', async () => {
  await connected('codex', 'qwen');
  expect(person.read('.codex/config.toml')).toContain(`SPILLWAY_HOME = "${person.home}"`);
  expect(JSON.parse(person.read('.qwen/settings.json')).mcpServers.spillway.env).toEqual({
    SPILLWAY_HOME: person.home,
  });
});
