import { describe, expect, it } from 'vitest';
import { LINE_HEIGHT_PX, UNIFORM } from '../../../../renderer/viewer/scrolling/positions.ts';
import {
  afterMove,
  type Following,
  followState,
  goalOf,
  unreadSince,
  unreadWords,
} from '../../../../renderer/viewer/view-state.ts';
import { artifactOf, fileOf } from '../../../fixtures/library/artifacts.ts';

/** A view of ten rows with `row` at the top. */
const view = (row: number, total: number) => ({
  position: { row, px: 0 },
  height: 10 * LINE_HEIGHT_PX,
  total,
  heights: UNIFORM,
});
const moved = (following: Following, before: [number, number], now: [number, number], reached = 90) =>
  afterMove(following, view(...before), view(...now), { row: reached, px: 0 });

describe('the rows to follow to', () => {
  it('do not exist at the end, once its rows are fetched', () => {
    expect(goalOf(null, view(90, 100), 100, true)).toBeNull();
    expect(goalOf(null, view(90, 100), 100, false)).toBe(100);
    expect(goalOf(null, view(90, 150), 150, true)).toBe(150);
  });

  it('stay the same while more comes than can be fetched', () => {
    expect(goalOf(150, view(90, 100), 900, false)).toBe(150);
    expect(goalOf(150, view(90, 100), 120, true)).toBe(120);
  });

  it('are the newest ones as soon as those are fetched, not those of an earlier growth', () => {
    expect(goalOf(150, view(90, 100), 900, true)).toBe(900);
  });

  it('are never above the view, which changed heights may have moved further down', () => {
    expect(goalOf(2000, view(6990, 7000), 7000, false)).toBe(7000);
    expect(goalOf(2000, view(6990, 7000), 7000, true)).toBeNull();
  });
});

describe('following the end', () => {
  it('is paused by scrolling up, not by a text that grows', () => {
    expect(moved('on', [90, 100], [89, 100])).toBe('paused');
    expect(moved('on', [90, 100], [90, 150])).toBe('on');
    expect(moved('on', [90, 150], [120, 150])).toBe('on');
  });

  it('is paused by scrolling up before it was brought to the end', () => {
    expect(moved('on', [50, 1000], [40, 1000], 0)).toBe('paused');
    expect(moved('on', [50, 1000], [60, 1000], 0)).toBe('on');
    // A shorter text or a higher view does not count as scrolling up.
    expect(moved('on', [50, 1000], [20, 100], 0)).toBe('on');
    expect(moved('on', [90, 100], [85, 95], 0)).toBe('on');
  });

  it('is not paused by a view that becomes higher or lower', () => {
    const higher = { ...view(80, 105), height: 20 * LINE_HEIGHT_PX };
    expect(afterMove('on', view(90, 105), higher, { row: 90, px: 0 })).toBe('on');
    expect(afterMove('on', higher, view(80, 105), { row: 80, px: 0 })).toBe('on');
    expect(afterMove('paused', higher, view(80, 105), { row: 80, px: 0 })).toBe('paused');
  });

  it('is not paused by lines that wrap or no longer do', () => {
    const wrapped = { ...view(95, 100), heights: { linesOf: () => 2 } };
    expect(afterMove('on', wrapped, view(90, 100), { row: 95, px: 0 })).toBe('on');
    expect(afterMove('on', view(90, 100), wrapped, { row: 90, px: 0 })).toBe('on');
    expect(afterMove('on', wrapped, { ...wrapped, position: { row: 94, px: 0 } }, { row: 95, px: 0 })).toBe(
      'paused',
    );
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

  it('is not switched on by scrolling', () => {
    expect(moved('off', [0, 100], [90, 100])).toBe('off');
  });
});

describe('the shown state of following', () => {
  const running = artifactOf('run', { status: 'running' });
  const ended = artifactOf('run', { status: 'failed' });
  const file = fileOf('/var/log/app.log', '/var/log');

  it('is "on" or "paused" while anything may be appended', () => {
    expect(followState('on', running, false)).toBe('on');
    expect(followState('paused', running, false)).toBe('paused');
    expect(followState('on', file, false)).toBe('on');
    expect(followState('on', undefined, false)).toBe('on');
  });

  it('is "ended" after the end of a run, unless unread lines wait', () => {
    expect(followState('on', ended, false)).toBe('ended');
    expect(followState('paused', ended, false)).toBe('ended');
    expect(followState('paused', ended, true)).toBe('paused');
    expect(followState('on', artifactOf('shell', { kind: 'terminal', status: 'finished' }), false)).toBe(
      'ended',
    );
  });

  it('is "off" where following was not switched on', () => {
    expect(followState('off', ended, true)).toBe('off');
  });
});

const said = (
  read: { lines: number | null; bytes: number },
  now: { lines: number | null; bytes: number },
): string => unreadWords(unreadSince(read, now));

describe('the unread rest of a text that is not followed', () => {
  it('is counted in lines', () => {
    expect(said({ lines: 10, bytes: 100 }, { lines: 10, bytes: 100 })).toBe('nothing new');
    expect(said({ lines: 10, bytes: 100 }, { lines: 11, bytes: 110 })).toBe('1 new line');
    expect(said({ lines: 10, bytes: 100 }, { lines: 2010, bytes: 9000 })).toBe('2,000 new lines');
  });

  it('is counted in bytes while the lines at either end are unknown', () => {
    expect(said({ lines: null, bytes: 1000 }, { lines: 5_000_000, bytes: 2024 })).toBe('1 KiB new');
    expect(said({ lines: 10, bytes: 100 }, { lines: null, bytes: 300 })).toBe('200 B new');
    expect(said({ lines: null, bytes: 100 }, { lines: 7, bytes: 100 })).toBe('nothing new');
  });

  it('is the whole text after it became shorter', () => {
    expect(said({ lines: 10, bytes: 100 }, { lines: 3, bytes: 30 })).toBe('3 new lines');
    expect(said({ lines: null, bytes: 100 }, { lines: null, bytes: 30 })).toBe('30 B new');
  });
});
