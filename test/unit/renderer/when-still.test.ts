import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { whenStill } from '../../../renderer/ui/state/time.ts';

describe('waiting for a pause', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs once after the last call', () => {
    const run = vi.fn();
    const still = whenStill(run, 200, 1000);
    still.call();
    vi.advanceTimersByTime(150);
    still.call();
    vi.advanceTimersByTime(199);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('runs once a second if the calls never pause', () => {
    const run = vi.fn();
    const still = whenStill(run, 200, 1000);
    for (let ms = 0; ms < 3000; ms += 50) {
      still.call();
      vi.advanceTimersByTime(50);
    }
    expect(run.mock.calls.length).toBeGreaterThanOrEqual(2);
    expect(run.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it('stops', () => {
    const run = vi.fn();
    const still = whenStill(run, 200, 1000);
    still.call();
    still.stop();
    vi.advanceTimersByTime(2000);
    expect(run).not.toHaveBeenCalled();
  });
});
