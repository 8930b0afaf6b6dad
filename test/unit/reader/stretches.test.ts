import { describe, expect, it } from 'vitest';
import { BLOCK_BYTES, BlockIndex } from '../../../electron/reader/lines/block-index.ts';
import { planStretches, type Stretch, StretchPlan } from '../../../electron/reader/lines/stretches.ts';
import fc from '../../fixtures/fast-check.ts';
import { plainBlock } from '../../fixtures/reader/indexed.ts';

const SIZES = { first: 2, most: 8 };

describe('a plan of stretches', () => {
  it('is the same whether a stream is planned at once or while it is indexed', () => {
    // Most blocks of a long line have no line end.
    const newlines = fc.array(fc.constantFrom(0, 0, 0, 1, 900), { maxLength: 60 });
    const input = fc.tuple(
      newlines,
      fc.integer({ min: 1, max: BLOCK_BYTES }),
      fc.integer({ min: 1, max: 9 }),
    );
    fc.assert(
      fc.property(input, ([counts, lastBytes, step]) => {
        const index = new BlockIndex();
        const plan = new StretchPlan(SIZES);
        const stretches: Stretch[] = [];
        for (const [i, count] of counts.entries()) {
          const bytes = i === counts.length - 1 ? lastBytes : BLOCK_BYTES;
          index.append(plainBlock(count), index.indexedBytes + bytes);
          if (i % step === 0) stretches.push(...plan.upTo(index, index.indexedBytes));
        }
        stretches.push(...plan.rest(index, index.indexedBytes));
        expect(stretches).toEqual(planStretches(index, SIZES));
      }),
    );
  });

  it('ends at the given size of the stream, even if more is indexed', () => {
    const index = new BlockIndex();
    for (let i = 0; i < 20; i += 1) index.append(plainBlock(5), index.indexedBytes + BLOCK_BYTES);
    const stretches = new StretchPlan(SIZES).rest(index, 9.5 * BLOCK_BYTES);
    expect(stretches.at(-1)!.end).toBeNull();
    for (const { end } of stretches.slice(0, -1)) expect(end!.block).toBeLessThan(10);
  });
});
