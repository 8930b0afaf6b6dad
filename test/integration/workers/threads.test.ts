/** The pool's threads, which run the built worker. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BULK_NICE, beats, createBeat } from '../../../electron/workers/call-watch.ts';
import { createPool } from '../../../electron/workers/pool.ts';
import { indexed } from '../../fixtures/reader/indexed.ts';

const count = { bytes: Buffer.from('a\nb\n'), size: 4, type: 'bytes' } as const;

describe('a thread that dies while idle', () => {
  it('is replaced when the next task comes, not before, or one that cannot start would be started for ever', async () => {
    const pool = createPool(1);
    await Promise.all(pool.threads.map((thread) => thread.terminate()));
    await expect.poll(() => pool.threads.length).toBe(0);
    const counts = await pool.run('count', { stream: count, start: 0, end: 4, unit: 'byte' });
    expect([...counts.newlines]).toEqual([2]);
    await pool.close();
  });
});

it('the code of a thread ends by itself outside of one, where the build runs it to fill its cache', () => {
  const worker = fileURLToPath(new URL('../../../dist/node/worker.cjs', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [worker], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

describe.runIf(process.platform === 'linux')('a thread for searches', () => {
  it('lets the page and the host go first, and one for views does not', async () => {
    const nices = () => readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread)));
    const own = getPriority();
    const steppedBack = () => nices().filter((nice) => nice === own + BULK_NICE).length;
    const before = steppedBack();
    const pool = createPool(1);
    const task = { stream: count, start: 0, end: 4, unit: 'byte' } as const;
    await pool.run('count', task);
    expect(steppedBack()).toBe(before);
    await Promise.all([pool.run('count', task), pool.run('count', task, { priority: 'bulk' })]);
    expect(steppedBack()).toBe(before + 1);
    await pool.close();
    const alone = createPool(1, { keepsOneForViews: false });
    await alone.run('count', task, { priority: 'bulk' });
    expect(steppedBack()).toBe(before);
    await alone.close();
  });
});

describe('a cancelled search', () => {
  // A backreference: no automaton can run it, so it takes long enough to be cancelled.
  const query = { pattern: '([ab])\\1', fixed: false, case_sensitive: true, invert: false };
  const request = { query, raw: false, start: null, end: null };

  it('stops between two blocks, and frees its thread for the next task', async () => {
    const pool = createPool(1);
    const bytes = Buffer.alloc(64 * 1024 * 1024, `${'abab'.repeat(30)}\n`);
    const stream = { bytes, size: bytes.length, type: 'bytes' } as const;
    const text = { stream, index: indexed(bytes).handle(), encoding: 'utf-8' };
    const beat = createBeat();
    const stop = new AbortController();
    const options = { priority: 'bulk', signal: stop.signal, beat } as const;
    let hasEnded = false;
    const search = pool
      .run('search', { ...text, request, beat }, options)
      .catch((error: Error) => error.message)
      .finally(() => {
        hasEnded = true;
      });
    while (beats(beat) < 2 && !hasEnded) await turn();
    stop.abort();
    expect(await search).toMatch(/cancelled/);
    // The one thread for such work is free again when this is answered.
    await pool.run('count', { stream: count, start: 0, end: 4, unit: 'byte' }, { priority: 'bulk' });
    expect(beats(beat)).toBeLessThan(bytes.length / (512 * 1024));
    await pool.close();
  });
});

it('idle work, such as a comparison of long outputs, never keeps a search waiting', async () => {
  const pool = createPool(1);
  // Messages that differ in their words take longest.
  const word = (i: number) => `${(i * 7919).toString(36)} of ${i.toString(36)} `.replaceAll(/\d/g, 'x');
  const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, i) => `${word(i).repeat(3)}\n`).join(''));
  const stream = { bytes, size: bytes.length, type: 'bytes' } as const;
  const beat = createBeat();
  let hasEnded = false;
  const messages = { stream, index: indexed(bytes).handle(), encoding: 'utf-8', range: null, beat };
  const idle = pool.run('messages', messages, { priority: 'idle' }).finally(() => {
    hasEnded = true;
  });
  while (beats(beat) < 1) await turn();
  await pool.run('count', { stream: count, start: 0, end: 4, unit: 'byte' }, { priority: 'bulk' });
  expect(hasEnded).toBe(false);
  await idle;
  await pool.close();
});
