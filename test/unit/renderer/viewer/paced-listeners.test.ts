import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pace, PacedListeners } from '../../../../renderer/viewer/document/paced-listeners.ts';

describe('listeners of growth', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are told at once, then ten times a second, and of the last change', () => {
    const paced = new PacedListeners(new Pace());
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

  it('are told of any other change at once, together with waiting growth', () => {
    const paced = new PacedListeners(new Pace());
    const listener = vi.fn();
    paced.subscribe(listener);
    paced.tell();
    paced.tellSoon();
    paced.tell();
    expect(listener).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1000);
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('wait for the rows of the growth, but only until the next growth is due', () => {
    const paced = new PacedListeners(new Pace());
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

  it('of two texts that grow together are told together, once the rows of both have arrived', () => {
    const pace = new Pace();
    const told: string[] = [];
    const [text, passing] = ['text', 'passing'].map((name) => {
      const paced = new PacedListeners(pace);
      paced.subscribe(() => told.push(name));
      return paced;
    });
    text!.tellSoon();
    vi.advanceTimersByTime(8);
    let isHere = false;
    for (let growth = 1; growth <= 3; growth += 1) {
      told.length = 0;
      isHere = false;
      // One of them grows some milliseconds after the other.
      text!.tellSoon();
      vi.advanceTimersByTime(20);
      passing!.tellSoon(() => isHere);
      vi.advanceTimersByTime(81);
      expect(told).toEqual([]);
      isHere = true;
      passing!.tell();
      expect(new Set(told)).toEqual(new Set(['text', 'passing']));
      expect(told).toHaveLength(2);
    }
  });

  it('of another text are told neither later nor earlier', () => {
    const pace = new Pace();
    const [growing, other] = [new PacedListeners(pace), new PacedListeners(pace)];
    const listener = vi.fn();
    growing.subscribe(listener);
    growing.tellSoon();
    growing.tellSoon();
    other.tell();
    expect(listener).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(100);
    expect(listener).toHaveBeenCalledTimes(2);
    // A closed one delays no other.
    other.tellSoon(() => false);
    growing.tellSoon();
    other.close();
    vi.advanceTimersByTime(100);
    expect(listener).toHaveBeenCalledTimes(3);
  });

  it('are not told after they were closed', () => {
    const paced = new PacedListeners(new Pace());
    const listener = vi.fn();
    paced.subscribe(listener);
    paced.tell();
    paced.tellSoon();
    paced.close();
    vi.advanceTimersByTime(1000);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
