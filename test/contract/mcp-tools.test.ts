/** CONTRACT 6, held to by the official client, on every transport and in both protocol revisions. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHost } from '../../electron/host/create.ts';
import type { Host } from '../../electron/host/host.ts';
import { createAgent } from '../../electron/mcp/agent.ts';
import { type McpHttp, serveMcpHttp } from '../../electron/mcp/http/serve.ts';
import { type McpSocket, serveMcpSocket } from '../../electron/mcp/socket.ts';
import { cliEntry, makePlace, type Place } from '../fixtures/cli.ts';
import { commandsAt, connectClient, REVISIONS, socketTransport } from '../fixtures/mcp.ts';

let place: Place;
let host: Host;
let socket: McpSocket;
let http: McpHttp;

const TOKEN = 'a-token-of-this-test-alone-0123456789';

const LINES = Array.from({ length: 3000 }, (_, index) => `line ${index + 1} of the log`);

beforeAll(async () => {
  place = makePlace();
  writeFileSync(join(place.files, 'app.log'), LINES.map((line) => `${line}\n`).join(''));
  writeFileSync(
    join(place.files, 'odd.log'),
    'ERROR first "quoted" \\ back\n{"not":"a head"}\n\u{1f600} \u2028 end\nlong '.concat('x'.repeat(5000)),
  );
  writeFileSync(join(place.files, 'empty.log'), '');
  writeFileSync(join(place.files, 'data.bin'), Buffer.from([0, 1, 2, 3, 0, 255]));
  host = await createHost({ home: place.home, watch: false, threads: 0 });
  socket = await serveMcpSocket({
    runDir: join(place.home, 'run'),
    createAgent: () => createAgent(host, { home: place.home, commands: commandsAt(place), version: '9.9.9' }),
  });
  http = await serveMcpHttp({
    port: 0,
    token: TOKEN,
    createAgent: (given) =>
      createAgent(host, { home: place.home, commands: commandsAt(place), version: '9.9.9', ...given }),
  });
});

afterAll(async () => {
  await http?.close();
  await socket?.close();
  await host?.close();
  place?.remove();
});

const transports = {
  http: () =>
    new StreamableHTTPClientTransport(new URL(http.url), {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    }),
  socket: () => socketTransport(socket.path),
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [cliEntry, 'mcp'],
      env: { ...(process.env as Record<string, string>), SPILLWAY_HOME: place.home },
      cwd: place.files,
      stderr: 'ignore',
    }),
};

/** Tools that change something, and those whose change cannot be undone. */
const CHANGING = [
  'capture_output',
  'cleanup_outputs',
  'end_session',
  'run_command',
  'stop_command',
  'use_session',
];
const DESTRUCTIVE = ['cleanup_outputs', 'end_session', 'run_command', 'stop_command'];

const ways = Object.entries(transports).flatMap(([name, open]) =>
  REVISIONS.map((revision) => ({ name, open, revision })),
);

/** Every `type` in a schema: a list of types is what some clients refuse. */
function typesOf(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'type' && typeof value !== 'object' ? [value] : []),
    ...(key === 'type' && Array.isArray(value) ? [value] : []),
    ...typesOf(value),
  ]);
}

describe.each(ways)('over $name in $revision', ({ open, revision }) => {
  let client: Client;

  beforeAll(async () => {
    client = await connectClient(open(), revision);
  });

  afterAll(async () => {
    await client.close();
  });

  const inspect = (args: Record<string, unknown>) =>
    client.callTool({ name: 'inspect_output', arguments: args });
  const texts = (result: { content: unknown }) =>
    (result.content as { type: string; text: string }[]).map((block) => block.text);
  const app = () => join(place.files, 'app.log');

  test('says who it is and when to use it', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()?.name).toBe('spillway');
    const instructions = client.getInstructions() ?? '';
    expect(instructions).toMatch(/^Use Spillway whenever/);
    expect(Buffer.byteLength(instructions)).toBeLessThan(2048);
  });

  test('announces each tool with when to use it, what it changes, and arguments it alone accepts', async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual([
      'capture_output',
      'cleanup_outputs',
      'end_session',
      'get_terminal_output',
      'inspect_output',
      'list_outputs',
      'read_command_output',
      'run_command',
      'stop_command',
      'storage_stats',
      'use_session',
      'wait_for_output',
    ]);
    for (const tool of tools) {
      expect(tool.description).toMatch(/^Use this /);
      expect(Buffer.byteLength(tool.description ?? '')).toBeLessThan(2048);
      expect(tool.annotations).toMatchObject({
        title: tool.title,
        readOnlyHint: !CHANGING.includes(tool.name),
        destructiveHint: DESTRUCTIVE.includes(tool.name),
      });
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(typesOf(tool.inputSchema).filter(Array.isArray)).toEqual([]);
      for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
        expect((schema as { description?: string }).description, `${tool.name}.${name}`).toBeTruthy();
      }
    }
  });

  test('list_outputs gives the same object as structured content and as text', async () => {
    const result = await client.callTool({ name: 'list_outputs', arguments: {} });
    expect(texts(result)).toHaveLength(1);
    expect(JSON.parse(texts(result)[0]!)).toEqual(result.structuredContent);
    const { outputs } = result.structuredContent as { outputs: { label: string; artifact_id: string }[] };
    expect(outputs.map((output) => output.label).sort()).toEqual([
      'app.log',
      'data.bin',
      'empty.log',
      'odd.log',
    ]);
  });

  test('pages of list_outputs put together are the whole list', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { structuredContent } = await client.callTool({
        name: 'list_outputs',
        arguments: { limit: 1, ...(cursor ? { cursor } : {}) },
      });
      const page = structuredContent as { outputs: { label: string }[]; next_cursor: string | null };
      seen.push(...page.outputs.map((output) => output.label));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen.sort()).toEqual(['app.log', 'data.bin', 'empty.log', 'odd.log']);
  });

  test('a view is a line of JSON without content, then the content alone, and no structured content', async () => {
    const result = await inspect({ file_path: app(), start_line: 10, end_line: 12 });
    expect(result.structuredContent).toBeUndefined();
    const [head, content, ...rest] = texts(result);
    expect(rest).toEqual([]);
    expect(head).toMatch(/^\{.*\}\n$/);
    expect(content).toBe(LINES.slice(9, 12).join('\n'));
    const view = JSON.parse(head!);
    expect(view).not.toHaveProperty('content');
    expect(view).not.toHaveProperty('matches');
    expect(view).toMatchObject({
      mode: 'range',
      start_line: 10,
      end_line: 12,
      lines_shown: 3,
      total_lines: 3000,
      truncated: true,
      next_start_line: 13,
    });
  });

  test('content comes through to the character, quotes, emoji and separators included', async () => {
    const [, content] = texts(await inspect({ file_path: join(place.files, 'odd.log'), lines: 3 }));
    expect(content).toBe('ERROR first "quoted" \\ back\n{"not":"a head"}\n\u{1f600} \u2028 end');
  });

  test('an id from the list is read as well as its path', async () => {
    const { structuredContent } = await client.callTool({
      name: 'list_outputs',
      arguments: { query: 'app.log' },
    });
    const [output] = (structuredContent as { outputs: { artifact_id: string }[] }).outputs;
    const [, content] = texts(await inspect({ artifact_id: output!.artifact_id, mode: 'tail', lines: 2 }));
    expect(content).toBe(LINES.slice(-2).join('\n'));
  });

  test('a reply keeps to 16,384 bytes with its head unless more are asked for', async () => {
    const [head, content] = texts(await inspect({ file_path: app(), lines: 2000 }));
    expect(Buffer.byteLength(head! + content!)).toBeLessThanOrEqual(16_384);
    expect(Buffer.byteLength(content!)).toBeGreaterThan(15_000);
    const { lines_shown, next_start_line } = JSON.parse(head!);
    expect(next_start_line).toBe(lines_shown + 1);
    const [, more] = texts(await inspect({ file_path: app(), lines: 2000, max_chars: 100_000 }));
    expect(more).toBe(LINES.slice(0, 2000).join('\n'));
    const [, less] = texts(await inspect({ file_path: app(), max_chars: 30 }));
    expect(less).toBe(LINES[0]);
  });

  test('past the end there is an empty view, and an empty file has one', async () => {
    const [head, content] = texts(await inspect({ file_path: app(), start_line: 4000 }));
    expect(content).toBe('(no lines)');
    expect(JSON.parse(head!).total_lines).toBe(3000);
    expect(JSON.parse(head!)).not.toHaveProperty('start_line');
    const [empty] = texts(await inspect({ file_path: join(place.files, 'empty.log') }));
    expect(JSON.parse(empty!)).toMatchObject({ total_lines: 0, total_bytes: 0 });
  });

  test('a binary output says how to look anyway', async () => {
    const [head, content] = texts(await inspect({ file_path: join(place.files, 'data.bin') }));
    expect(content).toBe('(no lines)');
    expect(JSON.parse(head!)).toMatchObject({
      content_type: 'binary',
      note: expect.stringContaining('as_text'),
    });
  });

  test('a summary is facts: the same object twice', async () => {
    const result = await inspect({ file_path: app(), mode: 'summary' });
    expect(JSON.parse(texts(result)[0]!)).toEqual(result.structuredContent);
    expect(result.structuredContent).toMatchObject({
      mode: 'summary',
      total_lines: 3000,
      shapes: expect.any(Array),
    });
  });

  test('read_command_output reads on from an offset, window after window, to the end', async () => {
    const { structuredContent } = await client.callTool({
      name: 'list_outputs',
      arguments: { query: 'app.log' },
    });
    const [output] = (structuredContent as { outputs: { artifact_id: string }[] }).outputs;
    const read = async (args: Record<string, unknown>) => {
      const name = 'read_command_output';
      const result = await client.callTool({
        name,
        arguments: { artifact_id: output!.artifact_id, ...args },
      });
      expect(result.structuredContent).toBeUndefined();
      const [head, content, ...rest] = texts(result);
      expect(rest).toEqual([]);
      return { ...JSON.parse(head!), text: content! };
    };
    let all = '';
    let windows = 0;
    for (let offset: number | null = 0; offset !== null; windows += 1) {
      const window: { text: string; next_offset?: number } = await read({ offset });
      all += window.text;
      offset = window.next_offset ?? null;
    }
    expect(all).toBe(LINES.map((line) => `${line}\n`).join(''));
    expect(windows).toBe(Math.ceil(all.length / 16_384));
    const found = await read({ search: 'line 29\\d\\d ', stream: 'combined' });
    expect(found.match_count).toBe(100);
    expect(found.text).toMatch(/^2900:line 2900 of the log/);
  });

  test('an offset outside of the output is an error with its size in it', async () => {
    const { structuredContent } = await client.callTool({
      name: 'list_outputs',
      arguments: { query: 'app.log' },
    });
    const [output] = (structuredContent as { outputs: { artifact_id: string }[] }).outputs;
    const size = String(LINES.reduce((sum, line) => sum + line.length + 1, 0));
    for (const offset of [-1, 10_000_000]) {
      const result = await client.callTool({
        name: 'read_command_output',
        arguments: { artifact_id: output!.artifact_id, offset },
      });
      expect(result.isError).toBe(true);
      expect(texts(result)[0]).toContain(size);
    }
  });

  test('every stream is a resource, read in pages that say where to read on', async () => {
    const { resources } = await client.listResources();
    const resource = resources.find(({ name }) => name === 'app.log (output)');
    expect(resource?.uri).toMatch(/^spillway:\/\/artifact\/file-app\.log-[\w-]+\/output$/);
    expect(resource).toMatchObject({ mimeType: 'text/plain' });
    let all = '';
    for (let uri: string | null = resource!.uri; uri !== null; ) {
      const { contents } = await client.readResource({ uri });
      const [page, ...rest] = contents as {
        uri: string;
        text: string;
        _meta: Record<string, string | null>;
      }[];
      expect(rest).toEqual([]);
      expect(page!.uri).toBe(uri);
      all += page!.text;
      uri = page!._meta['spillway/next_uri'] ?? null;
    }
    expect(all).toBe(LINES.map((line) => `${line}\n`).join(''));
    const { contents } = await client.readResource({ uri: `${resource!.uri}?offset=5&limit=1` });
    expect(contents[0]).toMatchObject({ text: '1' });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'spillway://artifact/{artifact_id}/{stream}{?offset,limit}',
    ]);
  });

  test.each([
    'spillway://artifact/file-x-2026-01-13T10-30-00-abc123/output',
    'spillway://artifact/../../etc/passwd',
    'spillway://artifact/%2e%2e/output',
    'file:///etc/passwd',
    'spillway://artifact/a\0b/output',
    `spillway://artifact/${'x'.repeat(10_000)}/output`,
  ])('what is no resource is said not to be one (%#)', async (uri) => {
    const error = await client.readResource({ uri }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/not found/) });
    expect((error as Error).message.length).toBeLessThan(600);
  });

  test('storage_stats and cleanup_outputs give facts, twice the same', async () => {
    for (const name of ['storage_stats', 'cleanup_outputs']) {
      const result = await client.callTool({ name, arguments: {} });
      expect(result.isError).toBeFalsy();
      expect(JSON.parse(texts(result)[0]!)).toEqual(result.structuredContent);
    }
    const { structuredContent } = await client.callTool({ name: 'storage_stats', arguments: {} });
    expect(structuredContent).toMatchObject({ file_count: 4, retention_hours: 24, sessions: [] });
  });

  test('an unknown argument is refused by name with the nearest valid one', async () => {
    const result = await inspect({ file_path: app(), start_lin: 5 });
    expect(result.isError).toBe(true);
    expect(texts(result)[0]).toMatch(/no argument "start_lin".*did you mean `start_line`/);
  });

  test.each([
    [{ file_path: 'F', mode: 'grap' }, /`mode` cannot be "grap".*head, tail, grep, range, summary/],
    [{ file_path: 'F', mode: 'grep' }, /grep needs a pattern/],
    [{ file_path: 'F', pattern: 'a(' }, /"a\(" is not a valid pattern/],
    [{ file_path: 'F', pattern: 'x', max_matches: 5000 }, /give at most 2000/],
    [{ file_path: 'F', pattern: 'x', cursor: 'x' }, /unknown cursor: use next_cursor/],
    [{ file_path: 'F', stream: 'stderr' }, /no stream stderr: it has output/],
    [{ file_path: 'F', mode: 'sumary' }, /did you mean "summary"/],
    [{ file_path: 'F', lines: 0 }, /`lines` cannot be 0: give at least 1/],
    [{ file_path: 'F', lines: 'many' }, /`lines` cannot be "many": give a whole number/],
    [{ file_path: 'F', lines: 1.5 }, /`lines` cannot be 1.5: give a whole number/],
    [{ file_path: 'F', start_line: 0 }, /line 0 does not exist/],
    [{ file_path: 'F', start_line: 9, end_line: 3 }, /ends at line 3, before/],
    [{ file_path: 'F', max_chars: 100_000_000 }, /give at most 1000000/],
    [{ file_path: 'F', raw: 'yes' }, /true or false/],
    [{ file_path: 7 }, /`file_path` cannot be 7: give a string/],
    [{ file_path: 'F', artifact_id: 'x' }, /both `artifact_id` and `file_path`/],
    [{}, /give one of `artifact_id`/],
    [{ artifact_id: 'nonsense' }, /nonsense/],
    [{ file_path: 'F', encoding: 'klingon' }, /klingon/],
  ])('%j is an error that says what to do next', async (args, wanted) => {
    const given = Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, value === 'F' ? app() : value]),
    );
    const result = await inspect(given);
    expect(result.isError).toBe(true);
    expect(texts(result)[0]).toMatch(wanted);
    expect(result.structuredContent).toBeUndefined();
  });

  test('an argument of null counts as left out', async () => {
    const [head] = texts(await inspect({ file_path: app(), artifact_id: null, mode: null, lines: null }));
    expect(JSON.parse(head!)).toMatchObject({ mode: 'head', lines_shown: 50 });
  });

  test('what lies outside the sources is refused in the same words whether or not it is there', async () => {
    const outside = [
      join(place.home, 'config.json'),
      '/etc/passwd',
      '/no/such/file',
      '../../x',
      `${place.files}/../up`,
      place.files,
    ];
    const said = await Promise.all(outside.map(async (file_path) => texts(await inspect({ file_path }))[0]));
    expect(new Set(said).size).toBe(1);
    expect(said[0]).not.toContain(place.home);
    expect(readFileSync(join(place.home, 'config.json'), 'utf8')).toContain('sources');
  });

  test.each(['no_such_tool', '__proto__', 'constructor', 'toString', 'inspect_outputs', 'x'.repeat(10_000)])(
    'an unknown tool is a protocol error (%#)',
    async (name) => {
      const error = await client.callTool({ name, arguments: {} }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/Unknown tool.*run_command, inspect_output/),
      });
      expect((error as Error).message.length).toBeLessThan(400);
    },
  );

  test('__proto__ among the arguments changes nothing', async () => {
    const args = JSON.parse(`{"file_path":${JSON.stringify(app())},"__proto__":{"mode":"tail"}}`);
    const result = await inspect(args);
    expect(({} as { mode?: string }).mode).toBeUndefined();
    // The SDK may drop the key, or we refuse it by name; a tail is not what comes.
    expect(result.isError || JSON.parse(texts(result)[0]!).mode === 'head').toBe(true);
  });
});
