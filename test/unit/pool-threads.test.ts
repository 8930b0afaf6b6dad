import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPool } from '../../electron/workers/pool.ts';

const count = { bytes: Buffer.from('a\nb\n'), size: 4, type: 'bytes' } as const;

describe('a thread that dies while nobody needs it', () => {
  it('is started again for the next task, not before: one that cannot start would be started for ever', async () => {
    const pool = createPool(1);
    await Promise.all(pool.threads.map((thread) => thread.terminate()));
    await wait(50);
    expect(pool.threads.length).toBe(0);
    const counts = await pool.run('count', { source: count, start: 0, end: 4, unit: 'byte' });
    expect([...counts]).toEqual([2]);
    await pool.close();
  });
});
