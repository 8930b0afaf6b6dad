/** The MCP socket among clients that are slow, rude or many. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { createAgent } from '../../../electron/mcp/agent.ts';
import { type McpSocket, serveMcpSocket } from '../../../electron/mcp/socket.ts';
import { MAX_IN_FLIGHT } from '../../../electron/mcp/transport/admission.ts';
import { MAX_UNREADABLE } from '../../../electron/mcp/transport/line-transport.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import {
  callTool,
  connectClient,
  INITIALIZE,
  type JsonRpc,
  RawConnection,
  socketTransport,
} from '../../fixtures/mcp.ts';

let place: Place;
let host: Host;
/** A hook that tests run before inspect. */
let before: (signal?: AbortSignal) => Promise<void> = async () => {};
let served: McpSocket;
const defects: unknown[] = [];
const connections: RawConnection[] = [];

beforeAll(async () => {
  place = makePlace();
  writeFileSync(
    join(place.files, 'app.log'),
    Array.from({ length: 2000 }, (_, index) => `line ${index + 1}\n`).join(''),
  );
  writeFileSync(join(place.files, 'wide.log'), `${'x'.repeat(1990)}\n`.repeat(600));
  host = await createHost({ home: place.home, watch: false, threads: 0 });
  const watched = new Proxy(host, {
    get(target, name: keyof Host) {
      if (name !== 'inspect')
        return typeof target[name] === 'function' ? target[name].bind(target) : target[name];
      return async (...given: Parameters<Host['inspect']>) => {
        await before(given[1]?.signal);
        return target.inspect(...given);
      };
    },
  });
  served = await serveMcpSocket({
    runDir: join(place.home, 'run'),
    createAgent: () =>
      createAgent(watched, {
        home: place.home,
        commands: null,
        version: '1.0.0',
        onDefect: (error) => defects.push(error),
      }),
  });
});

afterEach(() => {
  before = async () => {};
  for (const connection of connections.splice(0)) connection.close();
});

afterAll(async () => {
  await served?.close();
  await host?.close();
  place?.remove();
});

function connect(): RawConnection {
  const connection = new RawConnection(served.path);
  connections.push(connection);
  return connection;
}

/** A connection past its opening. */
async function opened(): Promise<RawConnection> {
  const connection = connect().read();
  connection.send(INITIALIZE);
  await connection.replies(1);
  return connection;
}

const line = (id: string | number, number: number) =>
  callTool(id, 'inspect_output', {
    file_path: join(place.files, 'app.log'),
    start_line: number,
    end_line: number,
  });
/** Replies may come in any order. */
const byId = (replies: JsonRpc[]) => replies.toSorted((a, b) => Number(a.id) - Number(b.id));
const contentOf = (reply: JsonRpc) => reply.result?.content[1]?.text;

/** The connection still does its work. */
async function expectAlive(connection: RawConnection): Promise<void> {
  connection.send(line('alive', 7));
  const [reply] = await connection.replies(1);
  expect(reply).toMatchObject({ id: 'alive' });
  expect(contentOf(reply!)).toBe('line 7');
}

test("the socket is this user's alone", () => {
  expect(statSync(served.path).mode & 0o777).toBe(0o600);
});

test('what is no message is answered, each line with its own error, and the connection goes on', async () => {
  const connection = await opened();
  connection.send(
    '{"jsonrpc": "2.0", "id": 1,',
    '[{"jsonrpc":"2.0","id":2,"method":"tools/list"}]',
    { jsonrpc: '1.0', id: 3, method: 'tools/list' },
    { jsonrpc: '2.0', id: 4 },
    '',
    '   ',
    { jsonrpc: '2.0', id: 5, method: 'no/such/method' },
  );
  const replies = await connection.replies(5);
  expect(replies.map((reply) => [reply.id, reply.error?.code])).toEqual([
    [null, -32700],
    [null, -32600],
    [3, -32600],
    [4, -32600],
    [5, -32601],
  ]);
  await expectAlive(connection);
});

test('an HTTP request is told what this is, and endless rubbish ends the connection', async () => {
  const http = connect().read();
  http.send('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}');
  const [first] = await http.replies(1);
  expect(first).toMatchObject({ id: null, error: { code: -32700 } });

  const rubbish = connect().read();
  rubbish.send(...Array.from({ length: 1000 }, () => 'rubbish'));
  const replies = await rubbish.replies(1000);
  expect(replies).toHaveLength(MAX_UNREADABLE);
  await rubbish.ended;
  await expectAlive(await opened());
});

test('a message larger than the SDK would take is read', async () => {
  const connection = await opened();
  connection.send(callTool('big', 'list_outputs', { query: 'x'.repeat(12 * 1024 * 1024) }));
  const [reply] = await connection.replies(1);
  expect(reply).toMatchObject({ id: 'big', result: { structuredContent: { outputs: [] } } });
});

test.each([64, 160])(
  'a request of %i MiB is refused under its own id without being kept',
  async (mebibytes) => {
    const connection = await opened();
    const memory = process.memoryUsage().rss;
    const piece = 'x'.repeat(1024 * 1024);
    connection.socket.write('{"method":"tools/call","params":{"name":"list_outputs","arguments":{"query":"');
    for (let sent = 0; sent < mebibytes; sent += 1) {
      if (!connection.socket.write(piece))
        await new Promise((resolve) => connection.socket.once('drain', resolve));
    }
    connection.socket.write(`"}},"jsonrpc":"2.0","id":${mebibytes}}\n`);
    const [reply] = await connection.replies(1);
    expect(reply).toMatchObject({
      id: mebibytes,
      error: { code: -32600, message: expect.stringMatching(/bytes, more than.*send less/) },
    });
    expect(process.memoryUsage().rss - memory).toBeLessThan(300 * 1024 * 1024);
    await expectAlive(connection);
  },
);

test('half a message, then silence or an end, harms nobody', async () => {
  const silent = connect().read();
  silent.socket.write('{"jsonrpc":"2.0","id":1,"method":"initi');
  const gone = connect().read();
  gone.socket.write('{"jsonrpc":"2.0","id":1,"method":"initi');
  gone.close();
  const halfClosed = connect().read();
  halfClosed.socket.end('{"jsonrpc":"2.0","id":1,"met');
  const [reply] = await halfClosed.replies(1);
  expect(reply).toMatchObject({ id: null, error: { code: -32700 } });
  await halfClosed.ended;
  await expectAlive(await opened());
});

test('who ends its input is answered everything it asked, then let go', async () => {
  const connection = connect().read();
  connection.send(INITIALIZE, ...Array.from({ length: 20 }, (_, index) => line(index, index + 1)));
  connection.socket.end();
  const replies = await connection.replies(100);
  expect(byId(replies.slice(1)).map((reply) => [reply.id, contentOf(reply)])).toEqual(
    Array.from({ length: 20 }, (_, index) => [index, `line ${index + 1}`]),
  );
  await connection.ended;
});

test('no more than eight requests of a connection are worked on at once, and all are answered', async () => {
  let running = 0;
  let most = 0;
  before = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 2));
    running -= 1;
  };
  const connection = await opened();
  connection.send(...Array.from({ length: 300 }, (_, index) => line(index, index + 1)));
  const replies = await connection.replies(300);
  expect(new Set(replies.map((reply) => reply.id)).size).toBe(300);
  for (const reply of replies) expect(contentOf(reply)).toBe(`line ${Number(reply.id) + 1}`);
  expect(most).toBe(MAX_IN_FLIGHT);
});

test('a client that does not read gets no more work done, and everything when it reads at last', async () => {
  let started = 0;
  before = async () => {
    started += 1;
  };
  const connection = connect();
  const large = (id: number) =>
    callTool(id, 'inspect_output', {
      file_path: join(place.files, 'wide.log'),
      lines: 500,
      max_chars: 900_000,
    });
  connection.send(INITIALIZE, ...Array.from({ length: 200 }, (_, index) => large(index)));
  const settled = async () => {
    for (let seen = -1; seen !== started; ) {
      seen = started;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  };
  await settled();
  // 0.9 MB each: only requests that ran when the first reply got stuck.
  expect(started).toBeLessThanOrEqual(MAX_IN_FLIGHT * 2);
  connection.read();
  const [, ...replies] = await connection.replies(201);
  expect(replies.map((reply) => Number(reply.id)).sort((a, b) => a - b)).toEqual([
    ...Array.from({ length: 200 }, (_, index) => index),
  ]);
  await expectAlive(connection);
});

test('a cancelled request is stopped, not answered, and its place is free again', async () => {
  const stopped: unknown[] = [];
  before = (signal) =>
    new Promise((resolve) => {
      signal?.addEventListener('abort', () => {
        stopped.push(signal.reason);
        resolve();
      });
    });
  const connection = await opened();
  for (let id = 0; id < MAX_IN_FLIGHT; id += 1) connection.send(line(id, 1));
  // One behind them, which is cancelled before its turn.
  connection.send(line('waiting', 1));
  for (const requestId of ['waiting', ...Array.from({ length: MAX_IN_FLIGHT }, (_, index) => index)]) {
    connection.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }
  while (stopped.length < MAX_IN_FLIGHT) await new Promise((resolve) => setTimeout(resolve, 5));
  before = async () => {};
  await expectAlive(connection);
  expect(stopped).toHaveLength(MAX_IN_FLIGHT);
});

test('an id that is not answered yet cannot be used again', async () => {
  let go: () => void = () => {};
  before = () => new Promise((resolve) => (go = resolve));
  const connection = await opened();
  connection.send(line('same', 1), line('same', 2));
  const [refused] = await connection.replies(1);
  expect(refused).toMatchObject({ id: 'same', error: { code: -32600 } });
  go();
  const [answered] = await connection.replies(1);
  expect(contentOf(answered!)).toBe('line 1');
});

test('two hundred connections at once each get their own replies', async () => {
  const all = Array.from({ length: 200 }, () => connect().read());
  for (const [index, connection] of all.entries())
    connection.send(INITIALIZE, line(1, index + 1), line(2, index + 1001));
  const replies = await Promise.all(all.map((connection) => connection.replies(3)));
  for (const [index, [, ...answers]] of replies.entries()) {
    const [first, second] = byId(answers);
    expect([contentOf(first!), contentOf(second!)]).toEqual([`line ${index + 1}`, `line ${index + 1001}`]);
  }
});

test('a defect is told to us with its path, and to the agent without', async () => {
  before = async () => {
    throw new Error(`EIO: reading ${place.home}/secret failed`);
  };
  const connection = await opened();
  connection.send(line(1, 1));
  const [reply] = await connection.replies(1);
  expect(reply?.result).toMatchObject({ isError: true });
  expect(JSON.stringify(reply)).not.toContain(place.home);
  expect(String(defects.at(-1))).toContain(place.home);
});

test('the two revisions can be spoken at the same time, each on its own connection', async () => {
  const [old, modern] = await Promise.all([
    connectClient(socketTransport(served.path), '2025-11-25'),
    connectClient(socketTransport(served.path), '2026-07-28'),
  ]);
  expect([old.getNegotiatedProtocolVersion(), modern.getNegotiatedProtocolVersion()]).toEqual([
    '2025-11-25',
    '2026-07-28',
  ]);
  await Promise.all([old.close(), modern.close()]);
});

test('closing the socket ends its connections and takes it away', async () => {
  const own = makePlace();
  const socket = await serveMcpSocket({
    runDir: join(own.home, 'run'),
    createAgent: () => createAgent(host, { home: place.home, commands: null, version: '1.0.0' }),
  });
  const connection = new RawConnection(socket.path).read();
  connection.send(INITIALIZE);
  await connection.replies(1);
  await socket.close();
  await connection.ended;
  expect(() => statSync(socket.path)).toThrow(/ENOENT/);
  connection.close();
  own.remove();
});
