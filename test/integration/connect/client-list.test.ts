/** `spillway connect`, by what the client prints as its list of servers. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClientHome, makeClientHome } from '../../fixtures/agents/client-homes.ts';
import type { Finished } from '../../fixtures/cli.ts';
import { runHere } from '../../fixtures/cli-here.ts';

let person: ClientHome;
beforeEach(() => {
  person = makeClientHome();
});
afterEach(() => person.remove());

/** Installs a client of this name that prints a list. The folder's name has a word that such lists use for trouble. */
function install(command: string, list: string, status = 0): void {
  const bin = join(person.folder, 'failed');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'list'), list);
  writeFileSync(join(bin, command), `#!/bin/sh\ntouch ${bin}/started\ncat ${bin}/list\nexit ${status}\n`);
  chmodSync(join(bin, command), 0o700);
}

function connect(...args: string[]): Promise<Finished> {
  const env = {
    ...person.env,
    PATH: `${join(person.folder, 'failed')}:${person.env.PATH}`,
    SPILLWAY_HOME: join(person.folder, 'failed', 'home'),
  };
  return runHere(['connect', ...args], { folder: person.folder, env });
}

test.each([
  ['claude-code', 'claude', 'spillway: node cli.js mcp - ✘ Failed to connect\n', 0, 'mcp list'],
  [
    'codex',
    'codex',
    'Name Status\nspillway  node  -  disabled  Unsupported\n',
    0,
    'enable the server in Codex',
  ],
  ['codex', 'codex', 'Error: failed to load\n\nCaused by:\n  no profile p\n', 1, 'codex mcp list'],
  ['codex', 'codex', 'No MCP servers configured yet.\n', 0, 'codex mcp list'],
  [
    'gemini',
    'gemini',
    '○ spillway: node (stdio) - Disabled\n',
    0,
    'trust the folder in which you start Gemini CLI',
  ],
  ['qwen', 'qwen', '\u001b[31m✗\u001b[0m spillway: node (stdio) - Disconnected\n', 0, 'qwen mcp list'],
  ['opencode', 'opencode', '●  ✗ spillway failed\n', 0, 'opencode mcp list'],
])(
  '%s, whose list is not of a server that works, is not said to be connected',
  async (client, command, list, status, advice) => {
    install(command, list, status);
    for (const isSame of [false, true]) {
      const done = await connect(client);
      expect(done).toMatchObject({ status: 1, stderr: '' });
      expect(done.stdout).not.toMatch(/is connected|are recorded/);
      expect(done.stdout).toContain(
        `has Spillway in its configuration${isSame ? ' already' : ''}, but cannot use it yet\n`,
      );
      expect(done.stdout).toMatch(new RegExp(`Note: .*${advice}`));
      if (status !== 0) expect(done.stdout).toContain('says: it does not name Spillway: no profile p');
    }
    expect(JSON.parse((await connect('--json')).stdout).clients).toContainEqual(
      expect.objectContaining({ client, state: 'connected' }),
    );
  },
);

test.each([
  ['claude-code', 'claude', '- ✔ Connected'],
  ['codex', 'codex', '-  enabled  Unsupported'],
  ['gemini', 'gemini', '(stdio) - Connected'],
  ['copilot', 'copilot', '(local)'],
])('%s, whose list has the server, is connected', async (client, command, state) => {
  const home = join(person.folder, 'failed', 'home');
  install(command, `spillway: ${process.execPath} SPILLWAY_HOME=${home} ${state}\n`);
  const { status, stdout } = await connect(client);
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('is connected\n') });
});

test.each([
  ['qwen', '.qwen/settings.json'],
  ['gemini', '.gemini/settings.json'],
])('%s cannot read a byte order mark, so nothing is changed or started', async (client, name) => {
  person.write(name, '\uFEFF{}\n');
  install(client, '');
  const { status, stdout, stderr } = await connect(client);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(
    `${name} cannot be read: line 1 has a byte order mark, which this file may not have`,
  );
  expect(person.read(name)).toBe('\uFEFF{}\n');
  expect(() => person.read('failed/started')).toThrow('ENOENT');
});
