import { expect, it } from 'vitest';
import { beats, createBeat, progressReporter, tellToStop } from '../../../electron/workers/call-watch.ts';

it('a task counts its beats, and ends at the first beat after it was told to stop', () => {
  const beat = createBeat();
  const alive = progressReporter(beat);
  alive();
  alive(false);
  expect(beats(beat)).toBe(1);
  tellToStop(beat);
  expect(alive).toThrow(/cancelled/);
});

it('a task without a beat cannot be stopped', () => {
  expect(() => progressReporter(null)()).not.toThrow();
});
