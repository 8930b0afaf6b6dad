import { describe, expect, it } from 'vitest';
import {
  clampPosition,
  type Heights,
  LINE_HEIGHT_PX,
  Scroll,
  UNIFORM,
} from '../../../../renderer/viewer/scrolling/positions.ts';
import { type Selection, selectLine } from '../../../../renderer/viewer/selection/selection.ts';
import { type CaretView, moveCaret, moveCaretPage } from '../../../../renderer/viewer/text-moves.ts';
import { Jumps } from '../../../../renderer/viewer/use-navigation.ts';

const ROWS = 5;

/** A text of 20 lines in a view of five. `hidden`: a filter hides that many lines between two. */
function open({ heights = UNIFORM, apart = 1 }: { heights?: Heights; apart?: number } = {}) {
  const scroll = new Scroll();
  const height = ROWS * LINE_HEIGHT_PX;
  const total = 20;
  scroll.view.set({ position: { row: 0, px: 0 }, height, total, heights });
  scroll.connect((position) =>
    scroll.view.set({ ...scroll.view.get(), position: clampPosition(position, total, height, heights) }),
  );
  let selection: Selection | null = null;
  const top = () => scroll.view.get().position.row;
  const view = {
    rows: {
      count: total,
      lineOf: (row: number) => row * apart + 1,
      rowOf: (line: number) => (line - 1) / apart,
    },
    scroll,
    get selection() {
      return selection;
    },
    select: (next: Selection | null) => {
      selection = next;
    },
    stopWaiting: () => {},
    selectedLineInView: () => {
      const line = selection?.focus ?? null;
      const row = line === null ? -1 : (line - 1) / apart;
      return row >= top() && row < top() + ROWS ? line : null;
    },
    currentLine: () => top() * apart + 1,
  } as unknown as CaretView;
  return {
    view,
    top,
    caret: () => selection?.focus ?? null,
    put: (line: number) => view.select(selectLine(line)),
  };
}

describe('the caret', () => {
  it('comes to the line that keys act on, and moves the view only at its edges', () => {
    const { view, caret, top } = open();
    const seen = Array.from({ length: 7 }, () => {
      moveCaret(view, 1);
      return [caret(), top()];
    });
    expect(seen).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
      [4, 0],
      [5, 0],
      [6, 1],
      [7, 2],
    ]);
    for (let step = 0; step < 5; step += 1) moveCaret(view, -1);
    expect([caret(), top()]).toEqual([2, 1]);
  });

  it('goes over hidden lines, and stays at the ends of the text', () => {
    const { view, caret, put } = open({ apart: 10 });
    put(11);
    moveCaret(view, 1);
    expect(caret()).toBe(21);
    put(1);
    moveCaret(view, -1);
    expect(caret()).toBe(1);
  });

  it('comes back into a view that was scrolled away from it', () => {
    const { view, caret, top, put } = open();
    put(1);
    view.scroll.moveTo({ row: 12, px: 0 });
    moveCaret(view, 1);
    expect([caret(), top()]).toEqual([13, 12]);
  });

  it('scrolls through a row that is higher than the view before it leaves it', () => {
    const { view, caret, put } = open({ heights: { linesOf: (row) => (row === 1 ? 7 : 1) } });
    put(1);
    moveCaret(view, 1);
    expect(caret()).toBe(2);
    expect(view.scroll.view.get().position).toEqual({ row: 1, px: 0 });
    moveCaret(view, 1);
    moveCaret(view, 1);
    expect([caret(), view.scroll.view.get().position.px]).toEqual([2, 2 * LINE_HEIGHT_PX]);
    moveCaret(view, 1);
    expect(caret()).toBe(3);
  });

  it('keeps its place in the view from page to page, and reaches the last line', () => {
    const { view, caret, top, put } = open();
    moveCaretPage(view, 4);
    expect([caret(), top()]).toEqual([null, 4]);
    put(7);
    moveCaretPage(view, 4);
    expect([caret(), top()]).toEqual([11, 8]);
    for (let page = 0; page < 3; page += 1) moveCaretPage(view, 4);
    expect([caret(), top()]).toEqual([20, 15]);
    for (let page = 0; page < 5; page += 1) moveCaretPage(view, -4);
    expect([caret(), top()]).toEqual([1, 0]);
  });
});

describe('jumps', () => {
  it('are gone back and forward again, and a new one ends the way forward', () => {
    const jumps = new Jumps();
    jumps.leave(10);
    jumps.leave(500);
    jumps.leave(500);
    expect([jumps.travel(-1, 900), jumps.travel(-1, 500), jumps.travel(-1, 10)]).toEqual([500, 10, null]);
    expect([jumps.travel(1, 10), jumps.travel(1, 500), jumps.travel(1, 900)]).toEqual([500, 900, null]);
    jumps.travel(-1, 900);
    jumps.leave(42);
    expect(jumps.travel(1, 7)).toBeNull();
    expect(jumps.travel(-1, 7)).toBe(42);
  });

  it('are one for steps from match to match, until the reader moves on', () => {
    const jumps = new Jumps();
    jumps.leave(10, 100);
    jumps.leave(100, 200);
    jumps.leave(200, 300);
    jumps.leave(305, 400);
    jumps.leave(400, 500);
    jumps.leave(500);
    expect([900, 500, 305, 10].map((now) => jumps.travel(-1, now))).toEqual([500, 305, 10, null]);
  });
});
