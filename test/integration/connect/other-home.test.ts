/** `spillway connect` from a second home, on a client that the first home has connected. */
import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ClientHome, CONFIGS, makeClientHome } from '../../fixtures/agents/client-homes.ts';
import type { Finished } from '../../fixtures/cli.ts';
import { runHere } from '../../fixtures/cli-here.ts';

let person: ClientHome;
beforeEach(() => {
  person = makeClientHome();
});
afterEach(() => person.remove());

/** Runs `connect` with a home of this name; `default` is the one that an environment without SPILLWAY_HOME has. */
function from(name: string, ...args: string[]): Promise<Finished> {
  const env = { ...person.env, SPILLWAY_HOME: name === 'default' ? undefined : homeOf(name) };
  return runHere(['connect', ...args], { folder: person.folder, env });
}

function homeOf(name: string): string {
  return name === 'default'
    ? join(person.folder, '.local/state/spillway')
    : join(person.folder, '..', `home ${name}`);
}

const FILES: Record<string, string[]> = {
  codex: ['.codex/config.toml'],
  'claude-code': ['.claude.json', '.claude/settings.json'],
  gemini: ['.gemini/settings.json', '.gemini/.env'],
  opencode: ['.config/opencode/opencode.jsonc'],
  cursor: ['.cursor/mcp.json'],
  cline: ['.cline/data/settings/cline_mcp_settings.json'],
};

describe.each(Object.entries(FILES))('%s', (client, files) => {
  const texts = () => files.map((name) => person.read(name));

  test.each(['a', 'default'])('that home %s connected is left alone by another', async (first) => {
    expect((await from(first, client, '--record')).status).toBe(0);
    const connected = texts();
    for (const args of [['--remove'], ['--remove', '--print'], ['--record'], []]) {
      const { status, stdout, stderr } = await from('b', client, ...args);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(
        `is connected to another home of Spillway, ${homeOf(first)}; nothing was changed`,
      );
      expect(stderr).toMatch(
        first === 'a'
          ? new RegExp(`SPILLWAY_HOME='[^']*/home a' spillway connect ${client} --remove\\n$`)
          : new RegExp(`SPILLWAY_HOME='?[^']*/spillway'? spillway connect ${client} --remove\\n$`),
      );
      expect(texts()).toEqual(connected);
    }
    const { stdout } = await from('b');
    const row = stdout.split('\n').find((line) => line.startsWith(`${client} `));
    expect(row).toContain(`connected to another home (${homeOf(first)})`);
    expect((await from(first)).stdout).not.toContain('another home');
    await from(first, client, '--remove');
    expect(texts()).toEqual(files.map((name) => CONFIGS[name]));
    expect((await from('b', client)).status).toBe(0);
  });
});

test('a server behind the proxy of another home stays there', async () => {
  await from('a', 'codex', '--proxy', 'docs');
  const proxied = person.read('.codex/config.toml');
  expect(proxied).toContain('proxy');
  expect((await from('b', 'codex', '--remove')).stderr).toContain('another home');
  expect((await from('b', 'codex', '--proxy', 'docs', '--remove')).stderr).toContain('another home');
  expect(person.read('.codex/config.toml')).toBe(proxied);
});

test('a home that is gone is no obstacle', async () => {
  await from('a', 'cursor');
  renameSync(homeOf('a'), `${homeOf('a')}.gone`);
  expect((await from('b', 'cursor', '--remove')).status).toBe(0);
  expect(existsSync(join(person.folder, '.cursor/mcp.json'))).toBe(false);
});

test.each(['codex', 'claude-code', 'opencode', 'gemini'])(
  'what a home recorded that was deleted by hand is removed from another: %s',
  async (client) => {
    await from('a', client, '--record');
    rmSync(homeOf('a'), { recursive: true });
    const { stdout, status } = await from('b', client, '--remove');
    expect({ stdout, status }).toMatchObject({ status: 0 });
    expect(stdout).toContain('is as it was before');
    for (const name of FILES[client]!)
      expect(person.read(name)).not.toMatch(/spillway|BASH_ENV|SHLVL|home a/);
  },
);

test('what is left of a home that was deleted goes, also a file that it made', async () => {
  await from('a', 'copilot', '--record');
  rmSync(homeOf('a'), { recursive: true });
  expect((await from('b', 'copilot', '--remove')).status).toBe(0);
  expect(person.read('.copilot/mcp-config.json')).not.toContain('spillway');
  expect(existsSync(join(person.folder, '.copilot/settings.json'))).toBe(false);
});

test('a home that takes over from one that was deleted leaves nothing of it', async () => {
  await from('a', 'codex', '--record');
  rmSync(homeOf('a'), { recursive: true });
  expect((await from('b', 'codex', '--record')).status).toBe(0);
  expect(person.read('.codex/config.toml')).not.toContain('home a');
  expect(person.read('.codex/config.toml')).toContain('home b');
});

test('a link to the home is the same home', async () => {
  await from('a', 'cursor');
  symlinkSync(homeOf('a'), homeOf('link'));
  expect((await from('link', 'cursor', '--remove')).status).toBe(0);
  expect(person.read('.cursor/mcp.json')).toBe(CONFIGS['.cursor/mcp.json']);
});
