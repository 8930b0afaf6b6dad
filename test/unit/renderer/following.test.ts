import { describe, expect, it } from 'vitest';
import { afterMove, type Following } from '../../../renderer/viewer/follow/following.ts';
import { ROW_HEIGHT } from '../../../renderer/viewer/scrolling/scroll-window.ts';

/** Ten rows high, with `row` at the top. */
const view = (row: number, total: number) => ({
  place: { row, px: 0 },
  height: 10 * ROW_HEIGHT,
  total,
});
const moved = (following: Following, before: [number, number], now: [number, number], reached = 90) =>
  afterMove(following, view(...before), view(...now), { row: reached, px: 0 });

describe('following the end', () => {
  it('is paused by scrolling up, not by a text that grows', () => {
    expect(moved('on', [90, 100], [89, 100])).toBe('paused');
    expect(moved('on', [90, 100], [90, 150])).toBe('on');
    expect(moved('on', [90, 150], [120, 150])).toBe('on');
  });

  it('is paused by scrolling up before it was brought to the end', () => {
    expect(moved('on', [50, 1000], [40, 1000], 0)).toBe('paused');
    expect(moved('on', [50, 1000], [60, 1000], 0)).toBe('on');
    // A text that became shorter, and a view that became higher, are no reader.
    expect(moved('on', [50, 1000], [20, 100], 0)).toBe('on');
    expect(moved('on', [90, 100], [85, 95], 0)).toBe('on');
  });

  it('is not paused by a view that becomes higher or lower', () => {
    const higher = { ...view(80, 105), height: 20 * ROW_HEIGHT };
    expect(afterMove('on', view(90, 105), higher, { row: 90, px: 0 })).toBe('on');
    expect(afterMove('on', higher, view(80, 105), { row: 80, px: 0 })).toBe('on');
    expect(afterMove('paused', higher, view(80, 105), { row: 80, px: 0 })).toBe('paused');
  });

  it('goes on by scrolling down to the end, not near it', () => {
    expect(moved('paused', [50, 100], [90, 100])).toBe('on');
    expect(moved('paused', [50, 100], [89, 100])).toBe('paused');
  });

  it('stays paused when a text that became shorter takes the view to its end', () => {
    expect(moved('paused', [50, 100], [20, 30])).toBe('paused');
    expect(moved('paused', [20, 30], [0, 0])).toBe('paused');
    expect(moved('paused', [0, 0], [0, 3])).toBe('paused');
    expect(moved('paused', [0, 3], [0, 500])).toBe('paused');
    expect(moved('paused', [0, 500], [490, 500])).toBe('on');
  });

  it('is nothing that a move begins', () => {
    expect(moved('off', [0, 100], [90, 100])).toBe('off');
  });
});
