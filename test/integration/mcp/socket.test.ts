/** The MCP socket among clients that are slow, rude or many. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAgent } from '../../../electron/mcp/agent.ts';
import { serveMcpSocket } from '../../../electron/mcp/socket.ts';
import { MAX_UNREADABLE } from '../../../electron/mcp/transport/line-transport.ts';
import { makePlace } from '../../fixtures/cli.ts';
import {
  callTool,
  connectClient,
  INITIALIZE,
  RawConnection,
  socketTransport,
} from '../../fixtures/mcp/client.ts';
import {
  byId,
  connect,
  contentOf,
  defects,
  expectAlive,
  hook,
  host,
  line,
  opened,
  place,
  served,
  setUpMcpSocket,
} from '../../fixtures/set-up/mcp-socket.ts';

setUpMcpSocket();

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

test('a client that ends its input gets all its replies before its connection is closed', async () => {
  const connection = connect().read();
  connection.send(INITIALIZE, ...Array.from({ length: 20 }, (_, index) => line(index, index + 1)));
  connection.socket.end();
  const replies = await connection.replies(100);
  expect(byId(replies.slice(1)).map((reply) => [reply.id, contentOf(reply)])).toEqual(
    Array.from({ length: 20 }, (_, index) => [index, `line ${index + 1}`]),
  );
  await connection.ended;
});

test('a defect is told to us with its path, and to the agent without', async () => {
  hook.before = async () => {
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
