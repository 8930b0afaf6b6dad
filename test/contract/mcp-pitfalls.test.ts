/**
 * Common defects of MCP servers (measured on the SDK that this one is built with, and on clients), each with
 * the guard against it and a test that fails without the guard.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createHost } from '../../electron/host/create.ts';
import type { Host } from '../../electron/host/host.ts';
import { type Agent, createAgent } from '../../electron/mcp/agent.ts';
import { serveMcpHttp } from '../../electron/mcp/http/serve.ts';
import { Resources } from '../../electron/mcp/resources/resources.ts';
import { createMcpServer } from '../../electron/mcp/server.ts';
import { type McpSocket, serveMcpSocket } from '../../electron/mcp/socket.ts';
import type { Tool } from '../../electron/mcp/tools/tool.ts';
import { MAX_IN_FLIGHT } from '../../electron/mcp/transport/admission.ts';
import { LineFramer } from '../../electron/mcp/transport/line-framer.ts';
import { Settings } from '../../shared/settings.ts';
import { makePlace, type Place } from '../fixtures/cli.ts';
import {
  callTool,
  commandsAt,
  connectClient,
  INITIALIZE,
  RawConnection,
  REVISIONS,
  type Revision,
  socketTransport,
} from '../fixtures/mcp.ts';
import { untilPasses } from '../fixtures/until.ts';

let place: Place;
let host: Host;
let served: McpSocket;
/** Tools of this test beside Spillway's own stack. */
let special: McpSocket;
let tools: Map<string, Tool>;
const path = (name: string) => join(place.files, name);

beforeAll(async () => {
  place = makePlace();
  writeFileSync(
    path('app.log'),
    Array.from({ length: 3000 }, (_, i) => `line ${i + 1} of "the" log\n`).join(''),
  );
  writeFileSync(path('growing.log'), 'one\n');
  host = await createHost({ home: place.home, watch: false, threads: 0 });
  served = await serveMcpSocket({
    runDir: join(place.home, 'run'),
    createAgent: () => createAgent(host, { home: place.home, commands: commandsAt(place), version: '1.0.0' }),
  });
  tools = new Map();
  special = await serveMcpSocket({ runDir: join(place.home, 'run-special'), createAgent: specialAgent });
});

afterAll(async () => {
  await special?.close();
  await served?.close();
  await host?.close();
  place?.remove();
});

const settings = () => Settings.parse({});

function specialAgent(): Agent {
  const watch = () => () => {};
  const resources = new Resources(host);
  return {
    createServer: () => createMcpServer({ version: '1.0.0', tools, resources, watch, settings }),
    watch,
    close: async () => {},
  };
}

function specialTool(name: string, call: Tool['call']): void {
  tools.set(name, { definition: { name, inputSchema: { type: 'object' } }, call });
}

const client = (revision: Revision, socket = served) => connectClient(socketTransport(socket.path), revision);
const texts = (result: { content: unknown }) =>
  (result.content as { text: string }[]).map(({ text }) => text);

async function withRaw(socket: McpSocket, use: (connection: RawConnection) => Promise<void>): Promise<void> {
  const connection = new RawConnection(socket.path).read();
  try {
    connection.send(INITIALIZE);
    await connection.replies(1);
    await use(connection);
  } finally {
    connection.close();
  }
}

async function withClient(use: (client: Client, revision: Revision) => Promise<void>): Promise<void> {
  for (const revision of REVISIONS) {
    const connected = await client(revision);
    try {
      await use(connected, revision);
    } finally {
      await connected.close();
    }
  }
}

/** The table: pitfall, guard, test. */
const PITFALLS: { pitfall: string; guard: string; holds: () => Promise<void> }[] = [
  {
    pitfall: "the SDK's read buffer joins all it has for every chunk: quadratic in a message's length",
    guard: 'LineFramer keeps a list of chunks and joins them once',
    async holds() {
      const concat = vi.spyOn(Buffer, 'concat');
      try {
        const framer = new LineFramer(64 * 1024 * 1024);
        const chunk = Buffer.alloc(64 * 1024, 'x');
        for (let sent = 0; sent < 512; sent += 1) expect(framer.push(chunk)).toEqual([]);
        const [frame] = framer.push(Buffer.from('\n'));
        expect(frame).toMatchObject({ kind: 'line' });
        const copied = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0);
        expect(copied).toBeLessThanOrEqual(2 * 512 * chunk.length);
      } finally {
        concat.mockRestore();
      }
    },
  },
  {
    pitfall: 'messages over 10 MiB never arrive, and the call hangs',
    guard: 'LineTransport reads 32 MiB, and refuses more under its own id',
    holds: () =>
      withRaw(served, async (connection) => {
        connection.send(callTool('long', 'list_outputs', { query: 'x'.repeat(11 * 1024 * 1024) }));
        connection.send(callTool('too long', 'list_outputs', { query: 'x'.repeat(33 * 1024 * 1024) }));
        const replies = await connection.replies(2);
        expect(replies).toMatchObject([
          { id: 'long', result: { structuredContent: { outputs: [] } } },
          { id: 'too long', error: { code: -32600 } },
        ]);
      }),
  },
  {
    pitfall: 'an oversized request ends the connection in silence, with its socket left open',
    guard: 'LineFramer drops the message, and the connection goes on',
    holds: () =>
      withRaw(served, async (connection) => {
        connection.send('x'.repeat(33 * 1024 * 1024));
        connection.send(callTool('after', 'list_outputs'));
        const replies = await connection.replies(2);
        expect(replies).toMatchObject([
          { id: null, error: { code: -32600 } },
          { id: 'after', result: {} },
        ]);
      }),
  },
  {
    pitfall: 'malformed JSON, another jsonrpc and batches get silence',
    guard: 'parseMessage gives each its own error',
    holds: () =>
      withRaw(served, async (connection) => {
        connection.send('{"jsonrpc":', { jsonrpc: '1.0', id: 1, method: 'ping' }, '[]');
        const codes = (await connection.replies(3)).map(({ id, error }) => [id, error?.code]);
        expect(codes).toEqual([
          [null, -32700],
          [1, -32600],
          [null, -32600],
        ]);
      }),
  },
  {
    pitfall: 'everything a client asks for is begun at once',
    guard: `Admission lets ${MAX_IN_FLIGHT} requests of a connection in`,
    async holds() {
      let under = 0;
      let most = 0;
      specialTool('slow', async () => {
        under += 1;
        most = Math.max(most, under);
        await new Promise((resolve) => setTimeout(resolve, 5));
        under -= 1;
        return { content: [] };
      });
      await withRaw(special, async (connection) => {
        connection.send(...Array.from({ length: 60 }, (_, id) => callTool(id, 'slow')));
        expect(await connection.replies(60)).toHaveLength(60);
      });
      expect(most).toBe(MAX_IN_FLIGHT);
    },
  },
  {
    pitfall: 'a client that never reads makes the server grow',
    guard: 'LineTransport takes no more work while its replies are not read',
    async holds() {
      let calls = 0;
      specialTool('large', async () => {
        calls += 1;
        return { content: [{ type: 'text', text: 'x'.repeat(1024 * 1024) }] };
      });
      const silent = new RawConnection(special.path);
      silent.send(INITIALIZE, ...Array.from({ length: 400 }, (_, id) => callTool(id, 'large')));
      // Others are served meanwhile, as often as it takes for everything that would be done to be done.
      await withRaw(special, async (connection) => {
        for (let id = 0; id < 40; id += 1) {
          connection.send(callTool(id, 'large'));
          await connection.replies(1);
        }
      });
      silent.close();
      expect(calls - 40).toBeLessThanOrEqual(2 * MAX_IN_FLIGHT);
    },
  },
  {
    pitfall: 'notifications go on for a client that does not read',
    guard: 'LineTransport keeps the last of each kind, and sends that when it is read again',
    async holds() {
      let tell: (() => void) | null = null;
      const resources = new Resources(host);
      const watch = (_: string, onUpdated: () => void) => {
        tell = onUpdated;
        return () => {};
      };
      const socket = await serveMcpSocket({
        runDir: join(place.home, 'run-told'),
        createAgent: () => ({
          createServer: () => createMcpServer({ version: '1', tools, resources, watch, settings }),
          watch,
          close: async () => {},
        }),
      });
      const { artifact_id } = (await host.list({ query: 'app.log' })).outputs[0]!;
      const uri = `spillway://artifact/${artifact_id}/output`;
      const silent = new RawConnection(socket.path);
      silent.send(INITIALIZE, { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri } });
      await untilPasses(() => expect(tell).not.toBeNull());
      specialTool('large', async () => ({ content: [{ type: 'text', text: 'x'.repeat(4 * 1024 * 1024) }] }));
      silent.send(callTool(2, 'large'));
      await withRaw(special, async (connection) => {
        connection.send(callTool(1, 'large'));
        await connection.replies(1);
      });
      for (let told = 0; told < 5000; told += 1) (tell as (() => void) | null)?.();
      silent.send({ jsonrpc: '2.0', id: 3, method: 'ping' });
      let notices = 0;
      let chunks = '';
      await new Promise<void>((resolve) => {
        silent.socket.on('data', (chunk: Buffer) => {
          chunks = (chunks + chunk).slice(-200_000);
          notices += String(chunk).split('resources/updated').length - 1;
          if (/"id":3[,}]/.test(chunks)) resolve();
        });
      });
      silent.close();
      await socket.close();
      expect(notices).toBeLessThan(1000);
    },
  },
  {
    pitfall: 'the message of what is thrown reaches the model as it is, paths included',
    guard: 'the call of a tool says only that there was a defect',
    async holds() {
      specialTool('broken', async () => {
        throw new Error(`EIO: reading ${place.home}/secret`);
      });
      for (const revision of REVISIONS) {
        const connected = await client(revision, special);
        const result = await connected.callTool({ name: 'broken', arguments: {} });
        expect(result.isError).toBe(true);
        expect(JSON.stringify(result)).not.toContain(place.home);
        await connected.close();
      }
    },
  },
  {
    pitfall: 'z.object drops unknown keys without a word',
    guard: 'parseArguments refuses them by name, in every tool',
    holds: () =>
      withClient(async (connected) => {
        const { tools: announced } = await connected.listTools();
        for (const { name, inputSchema } of announced) {
          expect(inputSchema.additionalProperties, name).toBe(false);
          const result = await connected.callTool({ name, arguments: { no_such_argument: 1 } });
          expect(result.isError, name).toBe(true);
          expect(texts(result)[0], name).toMatch(/no argument "no_such_argument"/);
        }
      }),
  },
  {
    pitfall: '`__proto__` as the name of a tool finds something',
    guard: 'tools are looked up in a Map',
    holds: () =>
      withClient(async (connected) => {
        for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
          const error = await connected.callTool({ name, arguments: {} }).catch((thrown: unknown) => thrown);
          expect(error).toMatchObject({ code: -32602 });
        }
      }),
  },
  {
    pitfall: 'resources/subscribe of 2025-11-25 has no handler, and that of 2026-07-28 does not say for what',
    guard: 'serveSubscriptions, and Listening of the connection',
    holds: () =>
      withClient(async (connected, revision) => {
        const { resources } = await connected.listResources();
        const { uri } = resources.find(({ name }) => name.startsWith('growing.log'))!;
        let told = '';
        connected.setNotificationHandler('notifications/resources/updated', ({ params }) => {
          told = params.uri;
        });
        if (revision === '2025-11-25') await connected.subscribeResource({ uri });
        else await connected.listen({ resourceSubscriptions: [uri] });
        await vi.waitFor(
          () => {
            appendFileSync(path('growing.log'), 'more\n');
            expect(told).toBe(uri);
          },
          { timeout: 20_000, interval: 300 },
        );
      }),
  },
  {
    pitfall: 'progress that is sent in the same tick as the result is lost',
    guard: 'ProgressReports lets some time pass before the result',
    async holds() {
      specialTool('hasty', async (_, { report }) => {
        report({ progress: 1, total: 1, message: 'done' });
        return { content: [{ type: 'text', text: 'result' }] };
      });
      for (const revision of REVISIONS) {
        const connected = await client(revision, special);
        for (let round = 0; round < 10; round += 1) {
          const heard: unknown[] = [];
          const onprogress = (progress: unknown) => heard.push(progress);
          await connected.callTool({ name: 'hasty', arguments: {} }, { onprogress });
          expect(heard).toMatchObject([{ progress: 1, total: 1, message: 'done' }]);
        }
        await connected.close();
      }
    },
  },
  {
    pitfall: 'createMcpHandler checks neither Host nor Origin',
    guard: 'the gate of MCP over HTTP',
    async holds() {
      const http = await serveMcpHttp({ port: 0, token: 'x'.repeat(40), createAgent: specialAgent });
      const { request } = await import('node:http');
      const status = (headers: Record<string, string>) =>
        new Promise<number | undefined>((resolve, reject) => {
          const asked = request(http.url, { method: 'POST', headers }, (reply) => {
            reply.resume();
            resolve(reply.statusCode);
          });
          asked.on('error', reject);
          asked.end('{}');
        });
      const bearer = { authorization: `Bearer ${'x'.repeat(40)}`, 'content-type': 'application/json' };
      expect(await status({ ...bearer, host: 'evil.example' })).toBe(403);
      expect(await status({ ...bearer, origin: 'http://evil.example' })).toBe(403);
      expect(await status(bearer)).toBe(400);
      await http.close();
    },
  },
  {
    pitfall: 'with one server object for all, replies cross over',
    guard: 'a server object for each connection',
    async holds() {
      const line = (id: number, number: number) =>
        callTool(id, 'inspect_output', { file_path: path('app.log'), start_line: number, end_line: number });
      const connections = Array.from({ length: 20 }, () => new RawConnection(served.path).read());
      for (const [index, connection] of connections.entries()) {
        connection.send(INITIALIZE, line(1, index + 1), line(2, index + 1001));
      }
      for (const [index, connection] of connections.entries()) {
        const [, ...answers] = await connection.replies(3);
        const said = answers
          .sort((a, b) => Number(a.id) - Number(b.id))
          .map(({ result }) => result.content[1].text);
        expect(said).toEqual([`line ${index + 1} of "the" log`, `line ${index + 1001} of "the" log`]);
        connection.close();
      }
    },
  },
  {
    pitfall: 'clients cap a reply at 25,000 tokens',
    guard: 'maxReplyBytes keeps a reply, head included, to 16,384 bytes',
    holds: () =>
      withClient(async (connected) => {
        for (const args of [{ lines: 2000 }, { mode: 'grep', pattern: 'line', max_matches: 2000 }]) {
          const given = { file_path: path('app.log'), ...args };
          const [head, text] = texts(await connected.callTool({ name: 'inspect_output', arguments: given }));
          expect(Buffer.byteLength(head! + text!)).toBeLessThanOrEqual(16_384);
          expect(Buffer.byteLength(text!)).toBeGreaterThan(14_000);
          expect(JSON.parse(head!).truncated).toBe(true);
        }
      }),
  },
  {
    pitfall: 'clients cut descriptions and instructions at 2 KB, and find tools by search',
    guard: 'they are shorter, and say first when to use them',
    holds: () =>
      withClient(async (connected) => {
        const { tools: announced } = await connected.listTools();
        for (const { description = '' } of announced) {
          expect(Buffer.byteLength(description)).toBeLessThan(2048);
          expect(description).toMatch(/^Use this (to|after|before|when)\b/);
        }
        const instructions = connected.getInstructions() ?? '';
        expect(Buffer.byteLength(instructions)).toBeLessThan(2048);
        expect(instructions).toMatch(/^Use Spillway /);
        for (const { name } of announced) expect(instructions).toContain(name);
      }),
  },
  {
    pitfall: 'clients that get structuredContent drop the text; on isError the reverse',
    guard: 'output comes as text alone, facts as both, errors as text',
    holds: () =>
      withClient(async (connected) => {
        const call = (name: string, args: object) => connected.callTool({ name, arguments: { ...args } });
        const output = await call('inspect_output', { file_path: path('app.log') });
        expect(output.structuredContent).toBeUndefined();
        const facts = await call('list_outputs', {});
        expect(JSON.parse(texts(facts)[0]!)).toEqual(facts.structuredContent);
        const failed = await call('list_outputs', { limit: 0 });
        expect(failed).toMatchObject({ isError: true, content: [{ type: 'text' }] });
        expect(failed.structuredContent).toBeUndefined();
      }),
  },
  {
    pitfall: 'JSON escapes inflate logs',
    guard: 'captured text has a block of its own, which is not JSON',
    holds: () =>
      withClient(async (connected) => {
        const given = { file_path: path('app.log'), lines: 1 };
        const [head, text] = texts(await connected.callTool({ name: 'inspect_output', arguments: given }));
        expect(text).toBe('line 1 of "the" log');
        expect(head).not.toContain('the');
      }),
  },
];

describe('a pitfall of MCP in practice:', () => {
  const rows = PITFALLS.map(({ pitfall, guard, holds }) => [pitfall, guard, holds] as const);
  test.each(rows)('%s (guard: %s)', (_pitfall, _guard, holds) => holds());
});
