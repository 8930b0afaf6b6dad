/** Many requests, readers that stand still, cancellations and equal ids on the MCP socket. */
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MAX_IN_FLIGHT } from '../../../electron/mcp/transport/admission.ts';
import { callTool, INITIALIZE } from '../../fixtures/mcp/client.ts';
import {
  byId,
  connect,
  contentOf,
  expectAlive,
  hook,
  line,
  opened,
  place,
  setUpMcpSocket,
} from '../../fixtures/set-up/mcp-socket.ts';
import { until } from '../../fixtures/until.ts';

setUpMcpSocket();

test('no more than eight requests of a connection are worked on at once, and all are answered', async () => {
  let running = 0;
  let most = 0;
  let free = () => {};
  const held = new Promise<void>((resolve) => {
    free = resolve;
  });
  hook.before = async () => {
    running += 1;
    most = Math.max(most, running);
    await held;
    await turn();
    running -= 1;
  };
  const connection = await opened();
  connection.send(...Array.from({ length: 300 }, (_, index) => line(index, index + 1)));
  await until(() => running >= MAX_IN_FLIGHT);
  free();
  const replies = await connection.replies(300);
  expect(new Set(replies.map((reply) => reply.id)).size).toBe(300);
  for (const reply of replies) expect(contentOf(reply)).toBe(`line ${Number(reply.id) + 1}`);
  expect(most).toBe(MAX_IN_FLIGHT);
});

test('a client that does not read gets no more work done, and everything when it reads at last', async () => {
  let started = 0;
  let ended = 0;
  hook.before = async () => {
    started += 1;
  };
  hook.after = () => {
    ended += 1;
  };
  const requests = MAX_IN_FLIGHT * 4;
  const connection = connect();
  const large = (id: number) =>
    callTool(id, 'inspect_output', {
      file_path: join(place.files, 'wide.log'),
      lines: 500,
      max_chars: 900_000,
    });
  connection.send(INITIALIZE, ...Array.from({ length: requests }, (_, index) => large(index)));
  await until(() => started > 0 && started === ended);
  // Only a reply begins more work now, which is before another client has got as many of its own.
  const other = await opened();
  for (let id = 0; id < 40; id += 1) {
    other.send(callTool(id, 'list_outputs'));
    await other.replies(1);
  }
  // 0.9 MB each: only requests that ran when the first reply got stuck.
  expect(started).toBeLessThanOrEqual(MAX_IN_FLIGHT * 2);
  connection.read();
  const [, ...replies] = await connection.replies(requests + 1);
  expect(replies.map((reply) => Number(reply.id)).sort((a, b) => a - b)).toEqual([
    ...Array.from({ length: requests }, (_, index) => index),
  ]);
  await expectAlive(connection);
});

test('a cancelled request is stopped, not answered, and its place is free again', async () => {
  const stopped: unknown[] = [];
  hook.before = (signal) =>
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
  await until(() => stopped.length === MAX_IN_FLIGHT);
  hook.before = async () => {};
  await expectAlive(connection);
  expect(stopped).toHaveLength(MAX_IN_FLIGHT);
});

test('an id that is not answered yet cannot be used again', async () => {
  let go: () => void = () => {};
  hook.before = () => new Promise((resolve) => (go = resolve));
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
