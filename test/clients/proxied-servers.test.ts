/** Published MCP servers behind `spillway proxy`: the official client has the same from them as without it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Progress } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cliEntry, makePlace, type Place } from '../fixtures/cli.ts';
import { until } from '../fixtures/until.ts';
import { installedCommand } from './installed.ts';

const LONG = Array.from({ length: 900 }, (_, i) => `line ${i + 1} of a long file\n`).join('');

let place: Place;
const clients: Client[] = [];
beforeEach(() => {
  place = makePlace();
  writeFileSync(join(place.files, 'long.txt'), LONG);
  writeFileSync(join(place.files, 'short.txt'), 'short\n');
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  place.remove();
});

/** Connects the official client, with what a server may ask of it. */
async function connected(words: readonly string[], isProxied: boolean): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { sampling: {}, elicitation: {}, roots: {} }, versionNegotiation: { mode: 'legacy' } },
  );
  client.setRequestHandler('roots/list', () => ({
    roots: [{ uri: `file://${place.files}`, name: 'files' }],
  }));
  client.setRequestHandler('sampling/createMessage', () => ({
    ...{ role: 'assistant', model: 'fake', content: { type: 'text', text: 'sampled' } },
  }));
  client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
  const line = isProxied ? [process.execPath, cliEntry, 'proxy', '--', ...words] : words;
  const [command, ...args] = line as [string, ...string[]];
  const env = { PATH: process.env.PATH!, SPILLWAY_HOME: place.home };
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore', cwd: place.files }));
  clients.push(client);
  return client;
}

const call = (name: string, args: object = {}) => ({ name, arguments: args as Record<string, unknown> });

const SERVERS = [
  {
    package: '@modelcontextprotocol/server-everything',
    command: 'mcp-server-everything',
    args: () => [],
    calls: () => [
      call('echo', { message: 'hello' }),
      call('get-sum', { a: 1, b: 2 }),
      call('get-sum', { a: 'x' }),
      call('get-tiny-image'),
      call('get-structured-content', { location: 'Chicago' }),
      call('get-annotated-message', { messageType: 'error', includeImage: true }),
      call('get-resource-links', { count: 2 }),
      call('no-such-tool'),
    ],
    long: null,
  },
  {
    package: '@modelcontextprotocol/server-filesystem',
    command: 'mcp-server-filesystem',
    args: () => [place.files],
    calls: () => [
      call('list_directory', { path: place.files }),
      call('read_text_file', { path: join(place.files, 'short.txt') }),
      call('read_text_file', { path: '/etc/passwd' }),
    ],
    long: () => call('read_text_file', { path: join(place.files, 'long.txt') }),
  },
  {
    package: '@modelcontextprotocol/server-memory',
    command: 'mcp-server-memory',
    args: () => [],
    calls: () => [call('read_graph'), call('search_nodes', { query: 'none' })],
    long: null,
  },
];

describe.each(SERVERS)('$package', ({ package: name, command, args, calls, long }) => {
  const program = installedCommand(name, command);

  test.skipIf(program === null)('the client has the same from it, and inspect_output besides', async () => {
    const [bare, proxied] = await Promise.all(
      [false, true].map((isProxied) => connected([program!, ...args()], isProxied)),
    );
    expect(proxied!.getServerVersion()).toEqual(bare!.getServerVersion());
    expect(proxied!.getServerCapabilities()).toEqual(bare!.getServerCapabilities());
    expect(proxied!.getInstructions()).toEqual(bare!.getInstructions());
    const { tools } = await proxied!.listTools();
    const bareTools = (await bare!.listTools()).tools.map(({ outputSchema: _, ...tool }) => tool);
    expect(tools.slice(0, -1)).toEqual(bareTools);
    expect(tools.at(-1)!.name).toBe('inspect_output');
    const said = async (client: Client) => {
      const results: unknown[] = [];
      for (const one of calls()) results.push(await client.callTool(one).catch((error) => String(error)));
      return results;
    };
    expect(await said(proxied!)).toEqual(await said(bare!));
  });

  test.skipIf(program === null || long === null)('its long result is captured whole', async () => {
    const client = await connected([program!, ...args()], true);
    const result = await client.callTool(long!());
    expect(result).not.toHaveProperty('structuredContent');
    const content = result.content as { text: string }[];
    const head = JSON.parse(content[0]!.text);
    expect(head).toMatchObject({ status: 'captured', total_lines: 900 });
    expect(readFileSync(head.full_output_file, 'utf8')).toBe(LONG);
    const rest = await client.callTool(call('inspect_output', { ...head, start_line: 900 }));
    expect(rest.isError).toBe(true);
    const last = call('inspect_output', { artifact_id: head.artifact_id, mode: 'tail', lines: 1 });
    expect((await client.callTool(last)).content).toMatchObject([{}, { text: 'line 900 of a long file' }]);
  });
});

const everything = installedCommand(SERVERS[0]!.package, SERVERS[0]!.command);

describe.skipIf(everything === null)('server-everything behind the proxy', () => {
  test('asks the client, and gets its answers', async () => {
    const client = await connected([everything!], true);
    const names = await until(async () => {
      const { tools } = await client.listTools();
      const found = tools.map(({ name }) => name);
      return found.includes('trigger-sampling-request') && found.includes('get-roots-list') ? found : null;
    });
    expect(names).toContain('trigger-elicitation-request');
    const text = async (one: ReturnType<typeof call>) => JSON.stringify((await client.callTool(one)).content);
    expect(await text(call('trigger-sampling-request', { prompt: 'x', maxTokens: 5 }))).toContain('sampled');
    expect(await text(call('trigger-elicitation-request'))).toContain('decline');
    expect(await text(call('get-roots-list'))).toContain(place.files);
  });

  test('reports progress, and hears a cancellation', async () => {
    const client = await connected([everything!], true);
    const heard: Progress[] = [];
    const onprogress = (progress: Progress) => void heard.push(progress);
    await client.callTool(call('trigger-long-running-operation', { duration: 1, steps: 4 }), { onprogress });
    expect(heard.map(({ progress }) => progress)).toEqual([1, 2, 3, 4]);
    const cancel = new AbortController();
    const slow = client.callTool(call('trigger-long-running-operation', { duration: 60, steps: 600 }), {
      signal: cancel.signal,
      onprogress: () => cancel.abort(),
    });
    await expect(slow).rejects.toThrow();
    expect((await client.callTool(call('echo', { message: 'still here' }))).content).toMatchObject([
      { text: 'Echo: still here' },
    ]);
  });

  test('has its prompts, resources and completions', async () => {
    const [bare, proxied] = await Promise.all([
      connected([everything!], false),
      connected([everything!], true),
    ]);
    const said = async (client: Client) => [
      await client.listPrompts(),
      await client.listResources(),
      await client.listResourceTemplates(),
      await client.getPrompt({ name: 'simple-prompt' }),
    ];
    expect(await said(proxied)).toEqual(await said(bare));
  });
});
