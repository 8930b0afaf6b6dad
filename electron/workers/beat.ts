/**
 * Memory that a long task shares with its caller: a counter that the task raises, and a flag that tells it to stop.
 */
import { cancelledRequest } from '../../shared/errors.ts';

/** Two numbers: the counter, and 1 once the task must stop. */
export type Beat = SharedArrayBuffer;

export function createBeat(): Beat {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/** Returns the counter. */
export function beats(beat: Beat): number {
  return Atomics.load(new Int32Array(beat), 0);
}

export function tellToStop(beat: Beat): void {
  Atomics.store(new Int32Array(beat), 1, 1);
}

/**
 * Returns a function for the task to call on progress; with false it does not raise the counter. It throws
 * `cancelled` once the task must stop.
 */
export function heart(beat: Beat | null): (getsOn?: boolean) => void {
  if (!beat) return () => {};
  const numbers = new Int32Array(beat);
  return (getsOn = true) => {
    if (Atomics.load(numbers, 1) === 1) throw cancelledRequest();
    if (getsOn) Atomics.add(numbers, 0, 1);
  };
}
