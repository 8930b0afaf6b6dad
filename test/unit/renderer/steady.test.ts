/** What memoised parts of the window get: the same object until something in it is another. */
import { expect, test, vi } from 'vitest';
import { Steady } from '../../../renderer/ui/state/use-steady.ts';

test('the object stays while its values do, whatever functions are given', () => {
  const steady = new Steady<{ line: number; go: () => void }>();
  const first = steady.next({ line: 1, go: () => undefined });
  expect(steady.next({ line: 1, go: () => undefined })).toBe(first);
  expect(steady.next({ line: 2, go: () => undefined })).not.toBe(first);
});

test('its functions call those given last, also when the object was kept', () => {
  const steady = new Steady<{ twice: (n: number) => number }>();
  const kept = steady.next({ twice: () => 0 });
  steady.next({ twice: (n) => n * 2 });
  expect(kept.twice(21)).toBe(42);
});

test('a function that comes or goes makes another object, and the old one does nothing', () => {
  const undo = vi.fn();
  const steady = new Steady<{ undo: (() => void) | null }>();
  const without = steady.next({ undo: null });
  const given = steady.next({ undo });
  expect(given).not.toBe(without);
  expect(steady.next({ undo: null })).not.toBe(given);
  given.undo?.();
  expect(undo).not.toHaveBeenCalled();
});

test('a value that comes makes another object', () => {
  const steady = new Steady<{ line: number; note?: string }>();
  const first = steady.next({ line: 1 });
  expect(steady.next({ line: 1, note: 'here' })).toEqual({ line: 1, note: 'here' });
  expect(steady.next({ line: 1 })).not.toBe(first);
});
