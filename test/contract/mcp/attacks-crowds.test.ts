/** Crowds of connections, cancellations and equal ids over MCP harm nobody else. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { MAX_IN_FLIGHT } from '../../../electron/mcp/transport/admission.ts';
import {
  ANSWERED_WITHIN_MS,
  ask,
  connected,
  defects,
  place,
  served,
  setUpAttackedMcp,
  textOf,
} from '../../fixtures/mcp/attacked.ts';
import { callTool, INITIALIZE, RawConnection } from '../../fixtures/mcp/client.ts';

setUpAttackedMcp();

describe('crowds', () => {
  test('hundreds of connections one after another, and at once, are served or turned away at once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const all = Array.from({ length: 100 }, () => new RawConnection(served.path).read());
      for (const connection of all) connection.send(INITIALIZE);
      for (const connection of all) expect(await connection.replies(1)).toMatchObject([{ id: 'init' }]);
      for (const connection of all) connection.close();
    }
    const silent = Array.from({ length: 600 }, () => new RawConnection(served.path).read());
    await Promise.all(silent.slice(0, 100).map(({ socket }) => socket.write('{"jsonrpc"')));
    const turnedAway = await Promise.race(silent.map(({ ended }) => ended.then(() => true)));
    expect(turnedAway).toBe(true);
    for (const connection of silent) connection.close();
    // A connection's slot is free once the server noticed its end.
    await vi.waitFor(
      async () => expect(textOf(await ask('list_outputs', { query: 'public.log' }))).toContain('public.log'),
      {
        timeout: ANSWERED_WITHIN_MS,
      },
    );
  }, 120_000);

  test('a storm of cancellations, of what runs, waits, ended or never was, harms nobody', async () => {
    const connection = await connected();
    const cancel = (requestId: unknown) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
    for (let id = 0; id < 200; id += 1) {
      connection.send(
        callTool(id, 'run_command', { command: 'sleep', args: ['30'], background: id % 50 === 0 }),
      );
      connection.send(cancel(id), cancel(id), cancel(id - 1), cancel('never'), cancel(null), cancel({}));
    }
    connection.send({ jsonrpc: '2.0', id: 'last', method: 'ping' });
    const late = setTimeout(() => connection.close(), ANSWERED_WITHIN_MS);
    for (let last = false; !last; ) {
      const [reply] = await connection.replies(1);
      if (reply === undefined) throw new Error('the connection ended, or nothing came');
      last = reply.id === 'last';
    }
    clearTimeout(late);
    connection.close();
    expect(textOf(await ask('list_outputs', { query: 'public.log' }))).toContain('public.log');
  });

  test('commands that will not end do not pile up, however fast they are cancelled', async () => {
    const file = join(place.files, 'stubborn');
    writeFileSync(file, '');
    const pids = () => readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
    const alive = () => pids().filter((pid) => existsSync(`/proc/${pid}`)).length;
    const connection = await connected();
    const command = `trap '' TERM; echo $$ >> ${file}; while :; do sleep 0.1; done`;
    let most = 0;
    for (let id = 0; id < MAX_IN_FLIGHT + 2; id += 1) {
      connection.send(callTool(id, 'run_command', { command, timeout: 0 }));
      await vi.waitFor(() => expect(pids()).toHaveLength(id + 1), {
        timeout: ANSWERED_WITHIN_MS,
        interval: 10,
      });
      connection.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      most = Math.max(most, alive());
    }
    connection.close();
    expect(most).toBeLessThanOrEqual(MAX_IN_FLIGHT);
    await vi.waitFor(() => expect(alive()).toBe(0), { timeout: ANSWERED_WITHIN_MS });
  });

  test('the same id over and over is answered once, and refused while it is not', async () => {
    const connection = await connected();
    for (let round = 0; round < 100; round += 1) connection.send(callTool('same', 'storage_stats'));
    connection.send({ jsonrpc: '2.0', id: 'last', method: 'ping' });
    const replies = await connection.replies(101);
    connection.close();
    const same = replies.filter(({ id }) => id === 'same');
    expect(same).toHaveLength(100);
    expect(same.some(({ result }) => result !== undefined)).toBe(true);
    for (const { error } of same.filter(({ result }) => result === undefined))
      expect(error?.code).toBe(-32600);
  });
});

test('no request of this file caused a defect', () => {
  expect(defects.map((error) => (error as Error).stack ?? error)).toEqual([]);
});
