import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { Resources } from '../../../electron/mcp/resources.ts';
import { createMcpServer } from '../../../electron/mcp/server.ts';
import { serveMcpSocket } from '../../../electron/mcp/socket.ts';
import { MAX_IN_FLIGHT } from '../../../electron/mcp/transport/admission.ts';
import { LineFramer } from '../../../electron/mcp/transport/line-transport.ts';
import { callTool, INITIALIZE, RawConnection } from '../../fixtures/mcp/client.ts';
import {
  host,
  place,
  served,
  settings,
  setUpServers,
  special,
  specialTool,
  tools,
  withRaw,
} from '../../fixtures/mcp/pitfalls.ts';
import { until, untilPasses } from '../../fixtures/until.ts';

setUpServers();

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
      let free = () => {};
      const held = new Promise<void>((resolve) => {
        free = resolve;
      });
      specialTool('slow', async () => {
        under += 1;
        most = Math.max(most, under);
        await held;
        await turn();
        under -= 1;
        return { content: [] };
      });
      await withRaw(special, async (connection) => {
        // An invalid message is refused as soon as it is read, which is after the calls.
        connection.send(...Array.from({ length: 60 }, (_, id) => callTool(id, 'slow')), '[]');
        expect(await connection.replies(1)).toMatchObject([{ id: null }]);
        await until(() => under >= MAX_IN_FLIGHT);
        free();
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
      // Serve other requests meanwhile, often enough for any pending effect to happen.
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
          createServer: () =>
            createMcpServer({ version: '1', tools, resources, watch, settings, sourceOf: async () => null }),
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
];

describe('a pitfall of MCP in practice:', () => {
  const rows = PITFALLS.map(({ pitfall, guard, holds }) => [pitfall, guard, holds] as const);
  test.each(rows)('%s (guard: %s)', (_pitfall, _guard, holds) => holds());
});
