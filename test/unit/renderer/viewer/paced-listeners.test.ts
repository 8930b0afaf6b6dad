import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PacedListeners } from '../../../../renderer/viewer/document/paced-listeners.ts';

describe('listeners of something that grows', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are told at once, then ten times a second, and of the last change', () => {
    const paced = new PacedListeners();
    const listener = vi.fn();
    paced.subscribe(listener);
    paced.tellSoon();
    expect(listener).toHaveBeenCalledTimes(1);
    for (let ms = 0; ms < 1000; ms += 10) {
      paced.tellSoon();
      vi.advanceTimersByTime(10);
    }
    expect(listener.mock.calls.length).toBeGreaterThanOrEqual(10);
    expect(listener.mock.calls.length).toBeLessThanOrEqual(11);
    paced.tellSoon();
    const before = listener.mock.calls.length;
    vi.advanceTimersByTime(100);
    expect(listener.mock.calls.length - before).toBeLessThanOrEqual(1);
  });

  it('are told of anything else at once, with what waited', () => {
    const paced = new PacedListeners();
    const listener = vi.fn();
    paced.subscribe(listener);
    paced.tell();
    paced.tellSoon();
    paced.tell();
    expect(listener).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1000);
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('wait for what belongs to the growth, but only until the next would be told', () => {
    const paced = new PacedListeners();
    const listener = vi.fn();
    paced.subscribe(listener);
    let isHere = false;
    const prepare = vi.fn(() => isHere);
    paced.tellSoon(prepare);
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(listener).not.toHaveBeenCalled();
    paced.tell();
    expect(listener).toHaveBeenCalledTimes(1);

    paced.tellSoon(prepare);
    vi.advanceTimersByTime(100);
    paced.tellSoon(prepare);
    expect(prepare).toHaveBeenCalledTimes(2);
    expect(listener).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(100);
    expect(listener).toHaveBeenCalledTimes(2);

    isHere = true;
    paced.tellSoon(prepare);
    vi.advanceTimersByTime(100);
    expect(listener).toHaveBeenCalledTimes(3);
    vi.advanceTimersByTime(1000);
    expect(listener).toHaveBeenCalledTimes(3);
  });

  it('are not told after the end', () => {
    const paced = new PacedListeners();
    const listener = vi.fn();
    paced.subscribe(listener);
    paced.tell();
    paced.tellSoon();
    paced.close();
    vi.advanceTimersByTime(1000);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
