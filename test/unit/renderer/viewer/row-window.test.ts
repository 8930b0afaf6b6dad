import { Virtualizer } from '@tanstack/react-virtual';
import { describe, expect, it } from 'vitest';
import { virtualizerOptions } from '../../../../renderer/ui/layout/virtual-rows.ts';
import {
  bottomRow,
  clampPosition,
  comparePositions,
  endPosition,
  type Heights,
  heightBetween,
  heightOf,
  isInView,
  isWhollyVisible,
  movedRows,
  positionShowing,
  type ScrollPosition,
  topRow,
  UNIFORM,
} from '../../../../renderer/viewer/scrolling/positions.ts';
import {
  farTop,
  layoutHeight,
  layoutTop,
  rowsAround,
} from '../../../../renderer/viewer/scrolling/use-row-window.ts';
import fc from '../../../fixtures/fast-check.ts';
import { cases } from '../../../fixtures/sizes.ts';

/** Returns the rows that the virtualizer mounts. */
function mounted(
  top: number,
  position: ScrollPosition,
  view: { height: number; overscan: number; total: number },
  heights: Heights,
) {
  const near = rowsAround(top, position, view, heights);
  const virtualizer = new Virtualizer({
    ...virtualizerOptions(near, view.overscan),
    getScrollElement: () => null,
    observeElementOffset: () => {},
    observeElementRect: () => {},
    scrollToFn: () => {},
    initialOffset: top,
    initialRect: { width: 0, height: view.height },
  });
  return virtualizer.getVirtualItems().map(({ index, start }) => ({ row: near.base + index, start }));
}

/** Rows of one to nine lines; some only once they are fetched. */
class Wrapped implements Heights {
  readonly fetched = new Set<number>();
  readonly seed: number;
  constructor(seed: number) {
    this.seed = seed;
  }
  full(row: number): number {
    return 1 + ((Math.imul(row + this.seed, 2654435761) >>> 13) % 9);
  }
  linesOf(row: number): number {
    return this.fetched.has(row) ? this.full(row) : 1;
  }
  fetch(first: number, last: number): void {
    for (let row = Math.max(0, first); row <= last; row += 1) this.fetched.add(row);
  }
}

/** Holds the layout as use-row-window.ts does: one anchor row keeps its position. */
class View {
  held: ScrollPosition = { row: 0, px: 0 };
  top = 0;
  readonly total: number;
  readonly height: number;
  readonly heights: Wrapped;
  constructor(total: number, height: number, seed: number) {
    this.total = total;
    this.height = height;
    this.heights = new Wrapped(seed);
  }
  get position(): ScrollPosition {
    return clampPosition(this.held, this.total, this.height, this.heights);
  }
  draw() {
    this.top = layoutTop(this.top, this.position, this.total, this.heights);
    const view = { height: this.height, overscan: 100, total: this.total };
    return mounted(this.top, this.position, view, this.heights);
  }
  moveTo(wanted: ScrollPosition): void {
    this.held = wanted;
    this.top = farTop(this.position, this.total, this.heights);
  }
  /** Scrolls as the element does, clamped to its height. */
  wheel(px: number): void {
    const room = layoutHeight(this.top, this.position, this.total, this.heights) - this.height;
    const to = Math.min(Math.max(0, this.top + px), Math.max(0, room));
    const { row, px: into } = this.position;
    const moved = { row, px: into + to - this.top };
    this.held = clampPosition(moved, this.total, this.height, this.heights);
    this.top = to;
  }
  /** Fetches what is drawn until nothing changes. */
  settle(): void {
    for (let turn = 0; turn < 20; turn += 1) {
      const rows = this.draw();
      this.heights.fetch((rows[0]?.row ?? 0) - 100, Math.min(this.total - 1, (rows.at(-1)?.row ?? 0) + 100));
    }
  }
}

const views = fc
  .record({
    total: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 100_000, max: 100_000_000 })),
    height: fc.integer({ min: 60, max: 1200 }),
    seed: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ total, height, seed }) => new View(total, height, seed));

describe('rows of different heights', () => {
  it('are drawn one below the other without a gap, over the whole view', () => {
    fc.assert(
      fc.property(views, fc.double({ min: 0, max: 1, noNaN: true }), (view, part) => {
        view.moveTo({ row: Math.floor(part * (view.total - 1)), px: 0 });
        view.settle();
        const rows = view.draw();
        for (const [index, { row, start }] of rows.entries()) {
          const next = rows[index + 1];
          if (!next) continue;
          expect(next.row).toBe(row + 1);
          expect(next.start).toBe(start + heightOf(row, view.heights));
        }
        expect(rows[0]!.start).toBeLessThanOrEqual(view.top);
        const last = rows.at(-1)!;
        const bottom = last.start + heightOf(last.row, view.heights);
        expect(bottom >= view.top + view.height || last.row === view.total - 1).toBe(true);
      }),
      { numRuns: cases(120) },
    );
  });

  it('are mounted as far as the overscan reaches, not a number of them', () => {
    const heights = { linesOf: () => 20 };
    const view = { height: 18 * 30, overscan: 300, total: 1_000_000 };
    const rows = mounted(1_000_000, { row: 500_000, px: 0 }, view, heights);
    expect(rows.map(({ row }) => row)).toEqual([499_999, 500_000, 500_001, 500_002]);
    expect(rows[1]!.start).toBe(1_000_000);
  });

  it('keep the destination row in place while the rows above it are fetched', () => {
    fc.assert(
      fc.property(views, fc.double({ min: 0, max: 1, noNaN: true }), (view, part) => {
        const row = Math.floor(part * (view.total - 1));
        view.moveTo(positionShowing(row, view.total, view.height, 1 / 3, view.heights));
        view.settle();
        const { position, heights, height } = view;
        expect(isWhollyVisible(row, position, height, heights) || height < 9 * 18 * 2).toBe(true);
      }),
      { numRuns: cases(120) },
    );
  });

  it('scroll by exactly the pixels of the wheel, anywhere, and end where the last row ends', () => {
    fc.assert(
      fc.property(
        views,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(fc.integer({ min: -3000, max: 3000 }), { maxLength: 30 }),
        (view, part, turns) => {
          view.moveTo({ row: Math.floor(part * (view.total - 1)), px: 0 });
          view.settle();
          for (const px of turns) {
            const { position: before, heights } = view;
            view.wheel(px);
            const { position: after } = view;
            const [from, to] = before.row <= after.row ? [before, after] : [after, before];
            const moved = Math.abs(heightBetween(from.row, to.row, heights) - from.px + to.px);
            const end = endPosition(view.total, view.height, heights);
            const atEdge = comparePositions(after, end) === 0 || (after.row === 0 && after.px === 0);
            if (atEdge) expect(moved).toBeLessThanOrEqual(Math.abs(px));
            else expect(moved).toBe(Math.abs(px));
            view.settle();
          }
        },
      ),
      { numRuns: cases(120) },
    );
  });

  it('can be scrolled to the very first and the very last line', () => {
    const view = new View(1_000_000, 500, 3);
    view.moveTo({ row: 4100, px: 0 });
    view.settle();
    for (let turn = 0; turn < 500 && (view.position.row > 0 || view.position.px > 0); turn += 1) {
      view.wheel(-2000);
      view.settle();
    }
    expect({ ...view.position, top: view.top }).toEqual({ row: 0, px: 0, top: 0 });
    view.moveTo({ row: 999_990, px: 0 });
    view.settle();
    for (let turn = 0; turn < 100; turn += 1) {
      view.wheel(200);
      view.settle();
    }
    expect(view.position).toEqual(endPosition(view.total, 500, view.heights));
    expect(bottomRow(view.position, view.total, 500, view.heights)).toBe(999_999);
  });

  it('are measured only near the view, of any number', () => {
    const view = { height: 18 * 60, overscan: 300, total: 100_000_000 };
    for (const row of [0, 1, 63, 64, 5000, 99_999_000, 99_999_940]) {
      const heights = new Wrapped(1);
      for (const rowHeights of [UNIFORM, heights]) {
        const { base, count } = rowsAround(900_000, { row, px: 0 }, view, rowHeights);
        expect(count).toBeLessThan(60 + 2 * 25);
        expect(base).toBeLessThanOrEqual(Math.max(0, row - 17));
        expect(base + count).toBeGreaterThanOrEqual(Math.min(view.total, row + 60 + 17));
      }
    }
    expect(mounted(0, { row: 0, px: 0 }, { ...view, total: 0 }, UNIFORM)).toEqual([]);
  });

  it('move by lines of the screen, through a row that is higher than the view', () => {
    const heights = { linesOf: (row: number) => (row === 3 ? 50 : 1) };
    const at = (lines: number) =>
      clampPosition(movedRows({ row: 2, px: 0 }, lines, heights), 100, 180, heights);
    expect(at(1)).toEqual({ row: 3, px: 0 });
    expect(at(20)).toEqual({ row: 3, px: 19 * 18 });
    expect(at(51)).toEqual({ row: 4, px: 0 });
    expect(at(-5)).toEqual({ row: 0, px: 0 });
    expect(topRow({ row: 3, px: 20 * 18 }, 180, heights)).toBe(3);
    expect(topRow({ row: 3, px: 45 * 18 }, 180, heights)).toBe(4);
    expect(isWhollyVisible(3, { row: 3, px: 0 }, 180, heights)).toBe(true);
    expect(isWhollyVisible(3, { row: 3, px: 18 }, 180, heights)).toBe(false);
  });

  it('has rows in view of which half a line shows', () => {
    const heights = { linesOf: (row: number) => (row === 3 ? 50 : 1) };
    const seen = (px: number, height: number) =>
      [2, 3, 4].filter((row) => isInView(row, { row: 2, px }, height, heights));
    expect(seen(0, 26)).toEqual([2]);
    expect(seen(0, 27)).toEqual([2, 3]);
    expect(seen(10, 27)).toEqual([3]);
    expect(isInView(3, { row: 3, px: 50 * 18 - 9 }, 180, heights)).toBe(true);
    expect(isInView(3, { row: 3, px: 50 * 18 - 8 }, 180, heights)).toBe(false);
  });
});
