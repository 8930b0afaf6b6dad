/** Keeps the object that memoised components get until one of its values changes. */
import { expect, test, vi } from 'vitest';
import { Steady } from '../../../renderer/ui/state/use-steady.ts';

test('the object stays the same while its values do, even if functions change', () => {
  const steady = new Steady<{ line: number; go: () => void }>();
  const first = steady.next({ line: 1, go: () => undefined });
  expect(steady.next({ line: 1, go: () => undefined })).toBe(first);
  expect(steady.next({ line: 2, go: () => undefined })).not.toBe(first);
});

test('functions of a kept object call the newest ones', () => {
  const steady = new Steady<{ twice: (n: number) => number }>();
  const kept = steady.next({ twice: () => 0 });
  steady.next({ twice: (n) => n * 2 });
  expect(kept.twice(21)).toBe(42);
});

test('adding or removing a function makes another object; a removed function does nothing', () => {
  const undo = vi.fn();
  const steady = new Steady<{ undo: (() => void) | null }>();
  const without = steady.next({ undo: null });
  const given = steady.next({ undo });
  expect(given).not.toBe(without);
  expect(steady.next({ undo: null })).not.toBe(given);
  given.undo?.();
  expect(undo).not.toHaveBeenCalled();
});

test('adding a value makes another object', () => {
  const steady = new Steady<{ line: number; note?: string }>();
  const first = steady.next({ line: 1 });
  expect(steady.next({ line: 1, note: 'here' })).toEqual({ line: 1, note: 'here' });
  expect(steady.next({ line: 1 })).not.toBe(first);
});
