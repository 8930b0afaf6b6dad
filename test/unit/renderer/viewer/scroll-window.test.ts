import { describe, expect, it } from 'vitest';
import {
  BASE_STEP_ROWS,
  baseFor,
  clampPosition,
  comparePositions,
  endPosition,
  fractionOf,
  isWhollyVisible,
  movedRows,
  mustRebase,
  positionAtFraction,
  positionOf,
  positionRevealing,
  positionShowing,
  ROW_HEIGHT_PX,
  type ScrollPosition,
  scrollTopOf,
  WINDOW_ROWS,
  wholeRows,
  windowCount,
} from '../../../../renderer/viewer/scrolling/positions.ts';
import fc from '../../../fixtures/fast-check.ts';
import { cases } from '../../../fixtures/sizes.ts';

const HUNDRED_MILLION = 100_000_000;
/** The most pixels Chromium gives an element. */
const ELEMENT_CAP = 33_554_428;

/** A scroller as the browser has it: it knows only the window that is laid out, and clamps to it. */
class FakeScroller {
  base = 0;
  scrollTop = 0;
  readonly total: number;
  readonly height: number;

  constructor(total: number, height: number) {
    this.total = total;
    this.height = height;
  }

  get position(): ScrollPosition {
    return positionOf(this.base, this.scrollTop);
  }

  /** Scrolls by pixels as the wheel does: the element clamps, then our handler of the scroll event runs. */
  wheel(pixels: number): void {
    const layout = windowCount(this.base, this.total) * ROW_HEIGHT_PX;
    this.scrollTop = Math.min(Math.max(0, this.scrollTop + pixels), Math.max(0, layout - this.height));
    if (mustRebase(this.base, this.position, this.total, this.height)) this.moveTo(this.position);
  }

  moveTo(wanted: ScrollPosition): void {
    const position = clampPosition(wanted, this.total, this.height);
    if (mustRebase(this.base, position, this.total, this.height))
      this.base = baseFor(position.row, this.total);
    this.scrollTop = scrollTopOf(this.base, position);
  }
}

const totals = fc.oneof(
  fc.integer({ min: 0, max: 5000 }),
  fc.integer({ min: WINDOW_ROWS - 2000, max: WINDOW_ROWS + 2000 }),
  fc.integer({ min: 1, max: HUNDRED_MILLION }),
  fc.constant(HUNDRED_MILLION),
);
const heights = fc.integer({ min: 20, max: 3000 });

type Step =
  | { do: 'wheel'; pixels: number }
  | { do: 'page'; direction: number }
  | { do: 'jump'; row: number }
  | { do: 'drag'; fraction: number }
  | { do: 'end' };

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('wheel' as const), pixels: fc.integer({ min: -4000, max: 4000 }) }),
  fc.record({ do: fc.constant('wheel' as const), pixels: fc.constantFrom(-18, 18, 1, -1, 120, -120) }),
  fc.record({ do: fc.constant('page' as const), direction: fc.constantFrom(-1, 1) }),
  fc.record({ do: fc.constant('jump' as const), row: fc.integer({ min: 0, max: HUNDRED_MILLION }) }),
  fc.record({ do: fc.constant('drag' as const), fraction: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.constant({ do: 'end' as const }),
);

describe('scrolling through any number of rows', () => {
  it('ends at the position of exact arithmetic, after any sequence of wheel, page, jump, drag and end', () => {
    fc.assert(
      fc.property(totals, heights, fc.array(steps, { maxLength: 60 }), (total, height, sequence) => {
        const scroller = new FakeScroller(total, height);
        // An element of unlimited height, in whole pixels as a BigInt.
        const last = (rows: number) => {
          const pixels = BigInt(rows) * BigInt(ROW_HEIGHT_PX) - BigInt(height);
          return pixels > 0n ? pixels : 0n;
        };
        let ideal = 0n;
        const clamp = (pixels: bigint) => (pixels < 0n ? 0n : pixels > last(total) ? last(total) : pixels);
        for (const step of sequence) {
          if (step.do === 'wheel') {
            scroller.wheel(step.pixels);
            ideal = clamp(ideal + BigInt(step.pixels));
          } else if (step.do === 'page') {
            const rows = step.direction * (wholeRows(height) - 1);
            scroller.moveTo(movedRows(scroller.position, rows));
            ideal = clamp(ideal + BigInt(rows * ROW_HEIGHT_PX));
          } else if (step.do === 'jump') {
            scroller.moveTo({ row: step.row, px: 0 });
            ideal = clamp(BigInt(step.row) * BigInt(ROW_HEIGHT_PX));
          } else if (step.do === 'end') {
            scroller.moveTo(endPosition(total, height));
            ideal = last(total);
          } else {
            const position = positionAtFraction(step.fraction, total, height);
            scroller.moveTo(position);
            ideal = clamp(BigInt(position.row) * BigInt(ROW_HEIGHT_PX) + BigInt(position.px));
          }
          const { row, px } = scroller.position;
          expect(BigInt(row) * BigInt(ROW_HEIGHT_PX) + BigInt(px)).toBe(ideal);
        }
      }),
      { numRuns: cases(600) },
    );
  });

  it('reaches the last row of 100 million and comes back to the first', () => {
    const scroller = new FakeScroller(HUNDRED_MILLION, 800);
    scroller.moveTo(endPosition(HUNDRED_MILLION, 800));
    expect(isWhollyVisible(HUNDRED_MILLION - 1, scroller.position, 800)).toBe(true);
    scroller.wheel(10_000);
    expect(isWhollyVisible(HUNDRED_MILLION - 1, scroller.position, 800)).toBe(true);
    for (let line = 0; line < 3; line += 1) scroller.wheel(-ROW_HEIGHT_PX);
    expect(comparePositions(scroller.position, movedRows(endPosition(HUNDRED_MILLION, 800), -3))).toBe(0);
    scroller.moveTo({ row: 0, px: 0 });
    expect(scroller.position).toEqual({ row: 0, px: 0 });
  });

  it('wheels through every edge of every window without losing a pixel', () => {
    const total = WINDOW_ROWS * 4;
    const scroller = new FakeScroller(total, 777);
    let pixels = 0;
    const bases = new Set<number>();
    while (pixels < total * ROW_HEIGHT_PX - 777) {
      const by = Math.min(9001, total * ROW_HEIGHT_PX - 777 - pixels);
      scroller.wheel(by);
      pixels += by;
      bases.add(scroller.base);
      expect(scroller.position.row * ROW_HEIGHT_PX + scroller.position.px).toBe(pixels);
    }
    expect(bases.size).toBeGreaterThan(3);
  });

  it('keeps fractions of a pixel, as on scaled screens', () => {
    const scroller = new FakeScroller(HUNDRED_MILLION, 800);
    scroller.moveTo({ row: 50_000_000, px: 7.2 });
    expect(scroller.position.row).toBe(50_000_000);
    expect(scroller.position.px).toBeCloseTo(7.2, 6);
  });
});

describe('the window of rows that is laid out', () => {
  it('holds the row it was made for and fits into an element', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: HUNDRED_MILLION }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (total, part) => {
          const row = Math.min(total - 1, Math.floor(part * total));
          const base = baseFor(row, total);
          const count = windowCount(base, total);
          expect(base % BASE_STEP_ROWS).toBe(0);
          expect(count).toBeLessThanOrEqual(WINDOW_ROWS);
          expect(count * ROW_HEIGHT_PX).toBeLessThan(ELEMENT_CAP);
          expect(row).toBeGreaterThanOrEqual(base);
          expect(row).toBeLessThan(base + count);
        },
      ),
    );
  });

  it('stays where it is once it has moved', () => {
    fc.assert(
      fc.property(totals, heights, fc.integer({ min: 0, max: HUNDRED_MILLION }), (total, height, row) => {
        const position = clampPosition({ row, px: 0 }, total, height);
        expect(mustRebase(baseFor(position.row, total), position, total, height)).toBe(false);
      }),
    );
  });

  it('moves before its edge can be seen, unless it is an edge of the text', () => {
    const total = WINDOW_ROWS * 3;
    expect(mustRebase(WINDOW_ROWS, { row: WINDOW_ROWS + 10, px: 0 }, total, 800)).toBe(true);
    expect(mustRebase(0, { row: 10, px: 0 }, total, 800)).toBe(false);
    expect(mustRebase(0, { row: WINDOW_ROWS - 100, px: 0 }, total, 800)).toBe(true);
    expect(mustRebase(0, { row: WINDOW_ROWS - 100, px: 0 }, WINDOW_ROWS, 800)).toBe(false);
  });

  it('is empty for an empty text', () => {
    expect(windowCount(0, 0)).toBe(0);
    expect(clampPosition({ row: 5, px: 3 }, 0, 800)).toEqual({ row: 0, px: 0 });
    expect(fractionOf({ row: 0, px: 0 }, 0, 800)).toBe(0);
  });
});

describe('the position from which a row is seen', () => {
  const height = 10 * ROW_HEIGHT_PX;
  const from = (row: number, around = 0, top = 50) =>
    positionRevealing(row, { row: top, px: 0 }, 1000, height, around);

  it('stays while the row and its context are in view', () => {
    const position = { row: 50, px: 0 };
    expect(positionRevealing(55, position, 1000, height, 3)).toBe(position);
    expect(positionRevealing(59, position, 1000, height)).toBe(position);
    // The first and the last row have no context on one side.
    expect(positionRevealing(0, { row: 0, px: 0 }, 1000, height, 3)).toEqual({ row: 0, px: 0 });
    expect(positionRevealing(999, { row: 990, px: 0 }, 1000, height, 3)).toEqual({ row: 990, px: 0 });
  });

  it('puts the row at the nearer edge, with its context', () => {
    expect(from(60)).toEqual({ row: 51, px: 0 });
    expect(from(60, 2)).toEqual({ row: 53, px: 0 });
    expect(from(58, 2)).toEqual({ row: 51, px: 0 });
    expect(from(49)).toEqual({ row: 49, px: 0 });
    expect(from(49, 3)).toEqual({ row: 46, px: 0 });
  });

  it('puts the row a third of the way down when it is more than a screen away', () => {
    expect(from(500)).toEqual({ row: 497, px: 0 });
    expect(from(20)).toEqual({ row: 17, px: 0 });
  });

  it('always shows the row', () => {
    const row = fc.integer({ min: 0, max: 999 });
    fc.assert(
      fc.property(row, row, fc.integer({ min: 0, max: 3 }), heights, (wanted, top, around, high) => {
        const position = clampPosition({ row: top, px: 5 }, 1000, high);
        const found = positionRevealing(wanted, position, 1000, high, around);
        expect(high < ROW_HEIGHT_PX || isWhollyVisible(wanted, found, high)).toBe(true);
      }),
    );
  });
});

describe('scrollbar positions', () => {
  it('return from a fraction to within its precision', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: HUNDRED_MILLION }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (total, fraction) => {
          const position = positionAtFraction(fraction, total, 900);
          expect(Math.abs(fractionOf(position, total, 900) - fraction)).toBeLessThan(1 / (total - 60));
        },
      ),
    );
  });

  it('put the last row at the bottom at the end, not a row short of it', () => {
    expect(positionAtFraction(1, 1000, 800)).toEqual(endPosition(1000, 800));
    expect(fractionOf(endPosition(1000, 800), 1000, 800)).toBe(1);
  });

  it('show a row a third of the way down, or as near as the text allows', () => {
    expect(positionShowing(500, 1000, 18 * 30)).toEqual({ row: 490, px: 0 });
    expect(positionShowing(2, 1000, 18 * 30)).toEqual({ row: 0, px: 0 });
    expect(positionShowing(999, 1000, 18 * 30)).toEqual({ row: 970, px: 0 });
  });
});
