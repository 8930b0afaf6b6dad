/**
 * Common defects of MCP servers (measured on the SDK that this one is built with, and on clients), each with
 * the guard against it and a test that fails without the guard.
 */
import { appendFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { serveMcpHttp } from '../../../electron/mcp/http/serve.ts';
import { callTool, INITIALIZE, RawConnection, REVISIONS } from '../../fixtures/mcp/client.ts';
import {
  client,
  path,
  place,
  served,
  setUpServers,
  special,
  specialAgent,
  specialTool,
  texts,
  withClient,
} from '../../fixtures/mcp/pitfalls.ts';

setUpServers();

/** The table: pitfall, guard, test. */
const PITFALLS: { pitfall: string; guard: string; holds: () => Promise<void> }[] = [
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
    guard: 'ProgressReports lets some time and a turn of the event loop pass before the result',
    async holds() {
      let pauses = false;
      specialTool('hasty', async (_, { report }) => {
        report({ progress: 1, total: 1, message: 'done' });
        // As on a busy machine, where the process may not run for longer than the time between the two.
        if (pauses) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
        return { content: [{ type: 'text', text: 'result' }] };
      });
      for (const revision of REVISIONS) {
        const connected = await client(revision, special);
        for (let round = 0; round < 10; round += 1) {
          const heard: unknown[] = [];
          const onprogress = (progress: unknown) => heard.push(progress);
          pauses = round % 2 === 1;
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
