import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runInOrder } from '../../../electron/host/in-order.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

describe('tasks whose results are taken in order', () => {
  it('yield results in order, however long each takes, and never run more at once than the width', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (delays, width) => {
          const taken: number[] = [];
          let running = 0;
          await runInOrder(
            delays.map((delay, i) => ({ delay, i })),
            width,
            async ({ delay, i }) => {
              running += 1;
              expect(running).toBeLessThanOrEqual(width);
              for (let i = 0; i < delay; i += 1) await turn();
              running -= 1;
              return i;
            },
            (result) => taken.push(result),
          );
          expect(taken).toEqual(delays.map((_, i) => i));
        },
      ),
      { numRuns: cases(80) },
    );
  });

  it('do not run far ahead of the slowest', async () => {
    let free: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    let begun = 0;
    const all = runInOrder(
      Array.from({ length: 100 }, (_, i) => i),
      2,
      async (i) => {
        begun += 1;
        if (i === 0) await held;
      },
      () => {},
    );
    // All that may begin does so before the next turn.
    await turn();
    expect(begun).toBeLessThan(10);
    free();
    await all;
    expect(begun).toBe(100);
  });

  it('stop at the first error', async () => {
    let free: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    const begun: number[] = [];
    const taken: number[] = [];
    const all = runInOrder(
      [0, 1, 2, 3, 4, 5],
      2,
      async (i) => {
        begun.push(i);
        if (i === 1) await held;
        if (i === 2) throw new Error('broken');
        return i;
      },
      (i) => taken.push(i),
    );
    await expect(all).rejects.toThrow('broken');
    free();
    await turn();
    expect({ begun, taken }).toEqual({ begun: [0, 1, 2], taken: [0] });
  });
});
