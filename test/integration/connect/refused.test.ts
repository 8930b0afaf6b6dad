/** `spillway connect` on files that it refuses to change, and on files of others. */
import { chmodSync, chownSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clientNamed } from '../../../electron/agents/agents.ts';
import { type ClientHome, makeClientHome } from '../../fixtures/agents/client-homes.ts';
import type { Finished } from '../../fixtures/cli.ts';
import { runHere } from '../../fixtures/cli-here.ts';

let person: ClientHome;
beforeEach(() => {
  person = makeClientHome();
});
afterEach(() => person.remove());

function connect(...args: string[]): Promise<Finished> {
  return runHere(['connect', ...args], { folder: person.folder, env: person.env });
}

const SERVERS_AT: [string, string, string][] = [
  ['claude-code', '.claude.json', 'mcpServers'],
  ['gemini', '.gemini/settings.json', 'mcpServers'],
  ['opencode', '.config/opencode/opencode.jsonc', 'mcp'],
  ['copilot', '.copilot/mcp-config.json', 'mcpServers'],
  ['qwen', '.qwen/settings.json', 'mcpServers'],
  ['cline', '.cline/data/settings/cline_mcp_settings.json', 'mcpServers'],
  ['cursor', '.cursor/mcp.json', 'mcpServers'],
  ['vscode', '.config/Code/User/mcp.json', 'servers'],
  ['claude-desktop', '.config/Claude/claude_desktop_config.json', 'mcpServers'],
  ['amp', '.config/amp/settings.json', 'amp.mcpServers'],
];
const WRONG_VALUES: [string, string][] = [
  ['[]', 'a list'],
  ['"x"', 'a string'],
  ['3', 'a number'],
  ['false', 'a boolean'],
  ['null', 'null'],
];
const WRONG_CONTAINERS = [
  ...SERVERS_AT.flatMap(([client, name, key]) =>
    WRONG_VALUES.map(([value, kind]) => [client, name, `{"${key}": ${value}}`, kind, key]),
  ),
  ['claude-code', '.claude/settings.json', '{"env": []}', 'a list', 'env'],
  ['codex', '.codex/config.toml', 'mcp_servers = []\n', 'a list', 'mcp_servers'],
  ['codex', '.codex/config.toml', '[[mcp_servers]]\na = 1\n', 'a list', 'mcp_servers'],
  ['codex', '.codex/config.toml', 'mcp_servers = 3\n', 'a number', 'mcp_servers'],
  [
    'codex',
    '.codex/config.toml',
    'shell_environment_policy = { set = "x" }\n',
    'a string',
    'shell_environment_policy.set',
  ],
  [
    'codex',
    '.codex/config.toml',
    '[sandbox_workspace_write]\nwritable_roots = "/data"\n',
    'a string',
    'sandbox_workspace_write.writable_roots',
  ],
] as [string, string, string, string, string][];

test.each(WRONG_CONTAINERS)('%s with %s holding %j', async (client, name, text, kind, key) => {
  person.write(name, text);
  const { status, stderr, stdout } = await connect(client, '--record');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`${join(person.folder, name)} has ${kind} as ${key}, where `);
  expect(person.read(name)).toBe(text);
  expect(existsSync(join(person.home, 'connect'))).toBe(false);
});

const POLICIES: [string, string | null][] = [
  ['include_only = ["PATH", "HOME"]', 'BASH_ENV and SHLVL'],
  ['include_only = ["BASH_ENV", "S.LVL"]', 'SHLVL'],
  ['include_only = ["PATH", "bash_*", "SHLV?"]', null],
  ['include_only = []', null],
  ['inherit = "none"\nexclude = ["*"]', null],
];

test.each(POLICIES)('Codex with the policy %s is recorded or refused', async (policy, names) => {
  const text = `[shell_environment_policy]\n${policy}\n`;
  person.write('.codex/config.toml', text);
  const { status, stderr } = await connect('codex', '--record');
  if (names === null) {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return;
  }
  const why = `shell_environment_policy.include_only in ${join(person.folder, '.codex/config.toml')} leaves out ${names}`;
  expect(stderr).toContain(`commands of Codex cannot be recorded: ${why}: change that`);
  expect(status).toBe(2);
  expect(person.read('.codex/config.toml')).toBe(text);
  expect((await connect('codex')).status).toBe(0);
  const { clients } = JSON.parse((await connect('--json')).stdout);
  expect(clients).toContainEqual(
    expect.objectContaining({ client: 'codex', state: 'connected', record: null, not_recordable: why }),
  );
});

/** Claude Code prefers a zsh of the system. */
function hasZsh(): boolean {
  return ['/bin/zsh', '/usr/bin/zsh', '/usr/local/bin/zsh', '/opt/homebrew/bin/zsh'].some(existsSync);
}

/** SHELL, CLAUDE_CODE_SHELL of the environment and of the settings, and what runs. */
const CLAUDE_SHELLS: [string, string | null, string | null, 'bash' | 'zsh'][] = [
  ['bash', null, null, 'bash'],
  ['zsh', null, null, 'zsh'],
  ['gone/zsh', null, null, hasZsh() ? 'zsh' : 'bash'],
  ['zsh', 'bash', null, 'bash'],
  ['bash', null, 'zsh', 'zsh'],
  ['zsh', null, 'bash', 'bash'],
];

test.each(CLAUDE_SHELLS)('Claude Code with SHELL %s and CLAUDE_CODE_SHELL %s or %s', async (...given) => {
  for (const name of ['bash', 'zsh']) {
    person.write(name, '#!/bin/sh\n');
    chmodSync(join(person.folder, name), 0o755);
  }
  const [shell, own, set, runs] = given.map((name) => name && join(person.folder, name));
  Object.assign(person.env, { SHELL: shell, ...(own ? { CLAUDE_CODE_SHELL: own } : {}) });
  if (set) person.write('.claude/settings.json', JSON.stringify({ env: { CLAUDE_CODE_SHELL: set } }));
  const { status, stderr } = await connect('claude-code', '--record');
  if (runs!.endsWith('bash')) {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return;
  }
  const program = /commands run in (\S+), and only commands in bash can be recorded: CLAUDE_/.exec(
    stderr,
  )?.[1];
  expect(program).toEqual(shell!.includes('gone') ? expect.stringMatching(/^\/.*\/zsh$/) : runs);
});

const ACCOUNT_SHELLS = [
  ['/bin/bash', 'linux', null],
  ['/opt/homebrew/bin/bash', 'darwin', null],
  ['/bin/zsh', 'darwin', 'zsh'],
  ['/bin/sh', 'linux', 'sh'],
  ['/usr/bin/fish', 'linux', null],
  ['/usr/bin/fish', 'darwin', 'zsh'],
  [null, 'linux', null],
] as const;

test.each(ACCOUNT_SHELLS)(
  'Codex with %s as the shell of the account, on %s',
  (loginShell, platform, other) => {
    const { recording } = clientNamed('codex');
    const { env, folder } = person;
    const why =
      'obstacle' in recording && recording.obstacle!({ env, folder, loginShell, platform }, () => null);
    const said = `its commands run in ${other}, the shell of your account, and only commands in bash can be recorded`;
    expect(why).toBe(other === null ? null : said);
  },
);

test('a policy that leaves out the recorder later is told in the list', async () => {
  await connect('codex', '--record');
  const connected = person.read('.codex/config.toml');
  person.write(
    '.codex/config.toml',
    connected.replace(
      '[shell_environment_policy.set]',
      '[shell_environment_policy]\ninclude_only = ["PATH"]\n$&',
    ),
  );
  expect(person.read('.codex/config.toml')).toContain('include_only');
  expect((await connect()).stdout).toMatch(/^codex .* no: shell_environment_policy\.include_only/m);
});

test('a read-only file stays as it is, and so do the others of its client', async () => {
  const settings = join(person.folder, '.claude/settings.json');
  const before = [person.read('.claude.json'), person.read('.claude/settings.json')];
  chmodSync(settings, 0o444);
  const { status, stdout, stderr } = await connect('claude-code', '--record');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`${settings} is read-only; nothing was changed: make it writable`);
  expect([person.read('.claude.json'), person.read('.claude/settings.json')]).toEqual(before);
  expect(existsSync(join(person.home, 'bin'))).toBe(false);
  expect((await connect('claude-code', '--record', '--print')).status).toBe(0);
  chmodSync(settings, 0o644);
  await connect('claude-code', '--record');
  chmodSync(settings, 0o444);
  const connected = [person.read('.claude.json'), person.read('.claude/settings.json')];
  expect((await connect('claude-code', '--remove')).stderr).toContain('is read-only');
  expect([person.read('.claude.json'), person.read('.claude/settings.json')]).toEqual(connected);
  expect(existsSync(join(person.home, 'bin'))).toBe(true);
});

test('a server in a read-only file is not put behind the proxy', async () => {
  chmodSync(join(person.folder, '.codex/config.toml'), 0o444);
  const before = person.read('.codex/config.toml');
  expect((await connect('codex', '--proxy', 'docs')).stderr).toContain('is read-only');
  expect(person.read('.codex/config.toml')).toBe(before);
});

test.skipIf(process.geteuid?.() !== 0)("another user's file stays theirs when root changes it", async () => {
  const path = join(person.folder, '.qwen/settings.json');
  chownSync(path, 12_345, 23_456);
  chmodSync(path, 0o640);
  for (const option of [[], ['--remove']]) {
    expect((await connect('qwen', ...option)).status).toBe(0);
    const { uid, gid, mode } = statSync(path);
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 12_345, gid: 23_456, mode: 0o640 });
  }
});
