import { describe, expect, it } from 'vitest';
import * as positions from '../../../../renderer/viewer/scrolling/positions.ts';
import {
  comparePositions,
  LINE_HEIGHT_PX,
  positionRevealing,
  type ScrollPosition,
  UNIFORM,
  wholeRows,
} from '../../../../renderer/viewer/scrolling/positions.ts';
import {
  farTop,
  layoutHeight,
  layoutTop,
  WINDOW_ROWS,
} from '../../../../renderer/viewer/scrolling/use-row-window.ts';
import fc from '../../../fixtures/fast-check.ts';
import { cases } from '../../../fixtures/sizes.ts';

// The functions under test, with rows of one line each.
const clampPosition = (position: ScrollPosition, total: number, height: number) =>
  positions.clampPosition(position, total, height, UNIFORM);
const endPosition = (total: number, height: number) => positions.endPosition(total, height, UNIFORM);
const fractionOf = (position: ScrollPosition, total: number, height: number) =>
  positions.fractionOf(position, total, height, UNIFORM);
const isWhollyVisible = (row: number, position: ScrollPosition, height: number) =>
  positions.isWhollyVisible(row, position, height, UNIFORM);
const movedRows = (position: ScrollPosition, lines: number) => positions.movedRows(position, lines, UNIFORM);
const positionAtFraction = (fraction: number, total: number, height: number) =>
  positions.positionAtFraction(fraction, total, height, UNIFORM);
const positionShowing = (row: number, total: number, height: number, part = 1 / 3) =>
  positions.positionShowing(row, total, height, part, UNIFORM);

const HUNDRED_MILLION = 100_000_000;
/** The most pixels Chromium gives an element. */
const ELEMENT_CAP = 33_554_428;

/** A scroller as the browser has it: it knows only the layout of rows around the view, and clamps to it. */
class FakeScroller {
  position: ScrollPosition = { row: 0, px: 0 };
  scrollTop = 0;
  readonly total: number;
  readonly height: number;

  constructor(total: number, height: number) {
    this.total = total;
    this.height = height;
  }

  get layout(): number {
    return layoutHeight(this.scrollTop, this.position, this.total, UNIFORM);
  }

  /** Scrolls by pixels as the wheel does: the element clamps, then our handler of the scroll event runs. */
  wheel(pixels: number): void {
    const to = Math.min(Math.max(0, this.scrollTop + pixels), Math.max(0, this.layout - this.height));
    const { row, px } = this.position;
    const moved = { row, px: px + to - this.scrollTop };
    this.position = clampPosition(moved, this.total, this.height);
    this.scrollTop = layoutTop(to, this.position, this.total, UNIFORM);
  }

  moveTo(wanted: ScrollPosition): void {
    this.position = clampPosition(wanted, this.total, this.height);
    this.scrollTop = farTop(this.position, this.total, UNIFORM);
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
          const pixels = BigInt(rows) * BigInt(LINE_HEIGHT_PX) - BigInt(height);
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
            ideal = clamp(ideal + BigInt(rows * LINE_HEIGHT_PX));
          } else if (step.do === 'jump') {
            scroller.moveTo({ row: step.row, px: 0 });
            ideal = clamp(BigInt(step.row) * BigInt(LINE_HEIGHT_PX));
          } else if (step.do === 'end') {
            scroller.moveTo(endPosition(total, height));
            ideal = last(total);
          } else {
            const position = positionAtFraction(step.fraction, total, height);
            scroller.moveTo(position);
            ideal = clamp(BigInt(position.row) * BigInt(LINE_HEIGHT_PX) + BigInt(position.px));
          }
          const { row, px } = scroller.position;
          expect(BigInt(row) * BigInt(LINE_HEIGHT_PX) + BigInt(px)).toBe(ideal);
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
    for (let line = 0; line < 3; line += 1) scroller.wheel(-LINE_HEIGHT_PX);
    expect(comparePositions(scroller.position, movedRows(endPosition(HUNDRED_MILLION, 800), -3))).toBe(0);
    scroller.moveTo({ row: 0, px: 0 });
    expect(scroller.position).toEqual({ row: 0, px: 0 });
  });

  it('wheels through every edge of every window without losing a pixel', () => {
    const total = WINDOW_ROWS * 4;
    const scroller = new FakeScroller(total, 777);
    let pixels = 0;
    let moves = 0;
    while (pixels < total * LINE_HEIGHT_PX - 777) {
      const by = Math.min(9001, total * LINE_HEIGHT_PX - 777 - pixels);
      const before = scroller.scrollTop;
      scroller.wheel(by);
      pixels += by;
      if (scroller.scrollTop < before) moves += 1;
      expect(scroller.position.row * LINE_HEIGHT_PX + scroller.position.px).toBe(pixels);
    }
    expect(moves).toBeGreaterThan(3);
  });

  it('keeps fractions of a pixel, as on scaled screens', () => {
    const scroller = new FakeScroller(HUNDRED_MILLION, 800);
    scroller.moveTo({ row: 50_000_000, px: 7.2 });
    expect(scroller.position.row).toBe(50_000_000);
    expect(scroller.position.px).toBeCloseTo(7.2, 6);
  });
});

describe('the layout of rows around the view', () => {
  it('has room for the view on both sides, unless the text ends there, and fits into an element', () => {
    fc.assert(
      fc.property(totals, heights, fc.array(steps, { maxLength: 20 }), (total, height, sequence) => {
        const scroller = new FakeScroller(total, height);
        for (const step of sequence) {
          if (step.do === 'wheel') scroller.wheel(step.pixels);
          else if (step.do === 'jump') scroller.moveTo({ row: step.row, px: 0 });
          else scroller.moveTo(endPosition(total, height));
          const { scrollTop, position, layout } = scroller;
          expect(layout).toBeLessThan(ELEMENT_CAP);
          const isAtTop = position.row === 0 && position.px === 0;
          const isAtEnd = comparePositions(position, endPosition(total, height)) === 0;
          if (!isAtTop) expect(scrollTop).toBeGreaterThan(0);
          if (!isAtEnd) expect(scrollTop + height).toBeLessThan(layout);
        }
      }),
      { numRuns: cases(200) },
    );
  });

  it('stays within an element while the end of a growing text is followed', () => {
    const scroller = { top: 0, highest: 0 };
    for (let total = 1000; total < 20_000_000; total += 40_000) {
      const end = endPosition(total, 800);
      scroller.top = layoutTop(scroller.top + 40_000 * LINE_HEIGHT_PX, end, total, UNIFORM);
      scroller.highest = Math.max(scroller.highest, layoutHeight(scroller.top, end, total, UNIFORM));
    }
    expect(scroller.highest).toBeLessThan(ELEMENT_CAP);
  });

  it('stays at the top of an empty text', () => {
    expect(clampPosition({ row: 5, px: 3 }, 0, 800)).toEqual({ row: 0, px: 0 });
    expect(fractionOf({ row: 0, px: 0 }, 0, 800)).toBe(0);
  });
});

describe('the position from which a row is seen', () => {
  const height = 10 * LINE_HEIGHT_PX;
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
        expect(high < LINE_HEIGHT_PX || isWhollyVisible(wanted, found, high)).toBe(true);
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
