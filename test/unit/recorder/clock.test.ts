import { describe, expect, it } from 'vitest';
import { startClock } from '../../../electron/recorder/streams/clock.ts';

/** A wall clock and a monotonic clock that the test sets. */
function clocks() {
  const at = { wall: 1_800_000_000_000, monotonic: 5 };
  const clock = startClock(
    () => at.wall,
    () => at.monotonic,
  );
  const pass = (ms: number) => {
    at.wall += ms;
    at.monotonic += ms;
  };
  return { at, clock, pass };
}

describe('the clock of a recording', () => {
  it('continues evenly when the wall clock is set back, and when it is corrected again', () => {
    const { at, clock, pass } = clocks();
    pass(10);
    at.wall -= 3_600_000;
    expect(clock()).toBe(1_800_000_000_010);
    pass(10);
    expect(clock()).toBe(1_800_000_000_020);
    at.wall += 3_600_000;
    expect(clock()).toBe(1_800_000_000_020);
  });

  it('catches up with the wall clock after the machine slept', () => {
    const { at, clock, pass } = clocks();
    pass(10);
    at.wall += 8 * 3_600_000;
    expect(clock()).toBe(at.wall);
    pass(10);
    expect(clock()).toBe(at.wall);
  });

  it('ignores small corrections', () => {
    const { at, clock, pass } = clocks();
    at.wall += 900;
    pass(10);
    expect(clock()).toBe(1_800_000_000_010);
  });

  it('is never behind the machine’s wall clock', () => {
    const early: number[] = [];
    for (let turn = 0; turn < 50_000; turn += 1) {
      const before = Date.now();
      const clock = startClock();
      if (Math.floor(clock()) < before) early.push(before);
    }
    expect(early).toEqual([]);
  });
});
