/** `spillway connect CLIENT --proxy SERVER`: a server that the client has goes behind the proxy, and comes back. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NO_DEBUGGER } from '../../../electron/host/no-debugger.ts';
import type { ClientState, ConnectResult } from '../../../shared/agents.ts';
import { type ClientHome, makeClientHome } from '../../fixtures/agents/client-homes.ts';
import { cliEntry, type Finished, finished } from '../../fixtures/cli.ts';
import { runHere } from '../../fixtures/cli-here.ts';

/** Each client's file with a server `docs` and another, as the client writes them. */
const FILES: Record<string, [name: string, text: string]> = {
  'claude-code': [
    '.claude.json',
    '{\n  "mcpServers": {\n    "docs": { "type": "stdio", "command": "docs", "args": ["--all"], "env": { "A": "1" } },\n    "far": { "type": "http", "url": "https://x" }\n  }\n}',
  ],
  codex: [
    '.codex/config.toml',
    '[mcp_servers.docs] # theirs\ncommand = "docs" # the program\nargs = ["--all"]\nenv = { A = "1" }\n\n[mcp_servers.far]\nurl = "https://x"\n',
  ],
  gemini: [
    '.gemini/settings.json',
    '{\n  // theirs\n  "mcpServers": { "docs": { "command": "docs", "args": ["--all"] }, "far": { "httpUrl": "x" } }\n}\n',
  ],
  opencode: [
    '.config/opencode/opencode.jsonc',
    '{\n  "mcp": {\n    // theirs\n    "docs": { "type": "local", "command": ["docs", "--all"], "enabled": true },\n    "far": { "type": "remote", "url": "x" },\n  },\n}\n',
  ],
  copilot: [
    '.copilot/mcp-config.json',
    '{\n\t"mcpServers": {\n\t\t"docs": {\n\t\t\t"type": "local",\n\t\t\t"command": "docs",\n\t\t\t"args": ["--all"],\n\t\t\t"tools": ["*"]\n\t\t},\n\t\t"far": { "type": "http", "url": "x" }\n\t}\n}\n',
  ],
  qwen: [
    '.qwen/settings.json',
    '{ "mcpServers": { "docs": { "command": "docs", "args": ["--all"] }, "far": { "url": "x" } } }\n',
  ],
  cline: [
    '.cline/data/settings/cline_mcp_settings.json',
    '{"mcpServers":{"docs":{"transport":{"type":"stdio","command":"docs","args":["--all"]},"disabled":false},"far":{"transport":{"type":"sse","url":"x"}}}}',
  ],
  cursor: [
    '.cursor/mcp.json',
    '{\r\n  "mcpServers": {\r\n    "docs": { "command": "docs", "args": ["--all"] },\r\n    "far": { "url": "x" }\r\n  }\r\n}\r\n',
  ],
  vscode: [
    '.config/Code/User/mcp.json',
    '{\n\t"servers": {\n\t\t"docs": { "type": "stdio", "command": "docs", "args": ["--all"] }, // theirs\n\t\t"far": { "type": "http", "url": "x" },\n\t},\n}\n',
  ],
  'claude-desktop': [
    '.config/Claude/claude_desktop_config.json',
    '{\n    "mcpServers": {\n        "docs": { "command": "docs", "args": ["--all"] },\n        "far": { "url": "x" }\n    }\n}',
  ],
  amp: [
    '.config/amp/settings.json',
    '{\n  "amp.mcpServers": { "docs": { "command": "docs", "args": ["--all"] }, "far": { "url": "x" } }, // theirs\n}\n',
  ],
};

let person: ClientHome;
beforeEach(() => {
  person = makeClientHome(Object.fromEntries(Object.values(FILES)));
});
afterEach(() => person.remove());

function connect(...args: string[]): Promise<Finished> {
  return runHere(['connect', ...args], { folder: person.folder, env: person.env });
}

async function done(...args: string[]): Promise<ConnectResult> {
  const { stdout, stderr, status } = await connect(...args, '--json');
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return JSON.parse(stdout).clients[0];
}

async function stateOf(client: string): Promise<ClientState> {
  const { clients } = JSON.parse((await connect('--json')).stdout) as { clients: ClientState[] };
  return clients.find((one) => one.client === client)!;
}

describe.each(Object.entries(FILES))('%s', (client, [name, text]) => {
  test('puts a server behind the proxy, once, and takes it out exactly as it was', async () => {
    const behind = await done(client, '--proxy', 'docs');
    expect(behind).toMatchObject({ applied: true, proxied: ['docs'], handshake: null });
    const changed = person.read(name);
    const words = [process.execPath, ...NO_DEBUGGER, cliEntry, 'proxy', '--', 'docs', '--all'];
    expect(changed.replace(/\s/g, '')).toMatch(
      new RegExp(
        words.map((word) => `"${word}"`).join(String.raw`\]?,?("args":|args=|#theprogramargs=)?\[?`),
      ),
    );
    expect(changed).toContain('SPILLWAY_HOME');
    if (text.includes('theirs')) expect(changed).toContain('theirs');
    expect(await stateOf(client)).toMatchObject({
      state: 'not connected',
      servers: [{ name: 'docs', proxied: true }],
    });
    expect((await done(client, '--proxy', 'docs')).changes).toEqual([]);
    expect((await done(client, '--proxy', 'docs', '--remove')).proxied).toEqual([]);
    expect(person.read(name)).toBe(text);
    expect(existsSync(join(person.home, 'connect', `${client}.json`))).toBe(false);
  });

  test('takes it out of a file that others changed meanwhile', async () => {
    await done(client, '--proxy', 'docs');
    const theirs = name.endsWith('.toml')
      ? person.read(name).replace('"--all"]', '"--all", "--new"]')
      : person.read(name).replace(/("--all")/, '$1, "--new"');
    person.write(name, theirs);
    await done(client, '--remove');
    const left = person.read(name);
    expect(left).toMatch(/"docs",?[^{}]*"--all", "--new"\]/);
    expect(left).not.toMatch(/proxy|SPILLWAY_HOME/);
    if (text.includes('"1"')) expect(left).toMatch(/A"?\s*[:=] "1"/);
  });
});

test('stays behind the proxy while Spillway itself is connected and removed beside it', async () => {
  await done('codex', '--proxy', 'docs');
  await done('codex');
  expect(await stateOf('codex')).toMatchObject({ state: 'connected', servers: [{ proxied: true }] });
  await done('codex', '--proxy', 'docs', '--remove');
  expect(await stateOf('codex')).toMatchObject({ state: 'connected', servers: [{ proxied: false }] });
  await done('codex', '--proxy', 'docs');
  await done('codex', '--remove');
  expect(person.read('.codex/config.toml')).toBe(FILES.codex![1]);
});

test('reaches a server that Claude Code has for one project', async () => {
  const text =
    '{"projects": {"/work": {"mcpServers": {"local": {"command": "l"}}}, "/none": {}}, "mcpServers": {}}';
  person.write('.claude.json', text);
  await done('claude-code', '--proxy', 'local');
  const { command, args } = JSON.parse(person.read('.claude.json')).projects['/work'].mcpServers.local;
  expect([command, ...args]).toEqual([process.execPath, ...NO_DEBUGGER, cliEntry, 'proxy', '--', 'l']);
  await done('claude-code', '--proxy', 'local', '--remove');
  expect(person.read('.claude.json')).toBe(text);
});

test("leaves a person's own `spillway proxy` alone", async () => {
  const own = '{"mcpServers": {"mine": {"command": "spillway", "args": ["proxy", "--", "x"]}}}';
  person.write('.qwen/settings.json', own);
  await done('qwen');
  await done('qwen', '--remove');
  expect(person.read('.qwen/settings.json')).toBe(own);
});

test('--print shows the change and makes none', async () => {
  const { stdout } = await connect('qwen', '--proxy', 'docs', '--print');
  expect(stdout).toContain('"proxy"');
  expect(person.read('.qwen/settings.json')).toBe(FILES.qwen![1]);
  expect(existsSync(person.home)).toBe(false);
});

test.each([
  ['dosc', 'Qwen Code has no server "dosc": did you mean docs? Its servers are docs'],
  ['far', 'far in Qwen Code is not started as a command: the proxy works only with servers on stdin'],
  ['spillway', 'the server `spillway` is Spillway, which needs no proxy'],
])('refuses %s, and says why', async (server, message) => {
  const { status, stderr } = await connect('qwen', '--proxy', server);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(person.read('.qwen/settings.json')).toBe(FILES.qwen![1]);
});

test('the server that a client starts answers through the proxy', async () => {
  const fixture = new URL('../../fixtures/mcp/server.mjs', import.meta.url).pathname;
  const server = { command: process.execPath, args: [fixture] };
  person.write('.qwen/settings.json', JSON.stringify({ mcpServers: { docs: server } }));
  await done('qwen', '--proxy', 'docs');
  const { command, args, env } = JSON.parse(person.read('.qwen/settings.json')).mcpServers.docs;
  const child = spawn(command, args, { env: { ...person.env, ...env } });
  const call = { name: 'text', arguments: { text: 'long '.repeat(2000) } };
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })}\n`);
  const { stdout } = await finished(child);
  const head = JSON.parse(JSON.parse(stdout).result.content[0].text);
  expect(readFileSync(head.full_output_file, 'utf8')).toBe(call.arguments.text);
  expect(head.full_output_file.startsWith(person.home)).toBe(true);
});
