/** Shared by a long task and its caller: a counter that the task raises, and a flag that tells it to stop. */
import { SpillwayError } from '../../shared/errors.ts';

/** Two numbers: the counter, and 1 once the task is to stop. */
export type Beat = SharedArrayBuffer;

export function createBeat(): Beat {
  return new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
}

/** How far the task has got. */
export function beats(beat: Beat): number {
  return Atomics.load(new Int32Array(beat), 0);
}

export function tellToStop(beat: Beat): void {
  Atomics.store(new Int32Array(beat), 1, 1);
}

/** For the task: says that it gets on, or only that it is there. Throws `cancelled` when it was told to stop. */
export function heart(beat: Beat | null): (getsOn?: boolean) => void {
  if (!beat) return () => {};
  const numbers = new Int32Array(beat);
  return (getsOn = true) => {
    if (Atomics.load(numbers, 1) === 1) {
      throw new SpillwayError('cancelled', 'the request was cancelled', 'ask again');
    }
    if (getsOn) Atomics.add(numbers, 0, 1);
  };
}
