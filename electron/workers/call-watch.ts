/** Tells, from proc(5), whether a thread of this process, or another process, waits in one call of the system. Linux only. */
import { readFileSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { cancelledRequest } from '../../shared/errors.ts';

/** Returns the id of the thread that calls; null where the system has none. */
export function threadId(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return null;
  }
}

export class CallWatch {
  readonly #status: string;
  #seen = '';
  #polls = 0;

  constructor(pid: number, isThread: boolean) {
    this.#status = isThread ? `/proc/self/task/${pid}/status` : `/proc/${pid}/status`;
  }

  /** Polls, and returns how many polls in a row have found the thread in the same call. */
  poll(): number {
    const now = this.#call();
    this.#polls = now !== '' && now === this.#seen ? this.#polls + 1 : 0;
    this.#seen = now;
    return this.#polls;
  }

  /** The state and how often the thread has waited so far; empty while it runs. */
  #call(): string {
    try {
      const [, state, waits] =
        /^State:\s*(\S)[\s\S]*^voluntary_ctxt_switches:\s*(\d+)/m.exec(
          readFileSync(this.#status, 'latin1'),
        ) ?? [];
      return state === 'S' || state === 'D' ? `${state}${waits}` : '';
    } catch {
      return '';
    }
  }
}

// Lowers the priority of threads for bulk work. A search keeps all processors busy, and then the next key, the page and
// the host each wait for a turn. On two processors a key's request took 5 ms to reach the host, and 1 ms with these
// threads at nice 10. Nice 5 was not measurably different.

/** Where nothing else wants the processors, this costs nothing; beside another busy program a thread gets a third. */
export const BULK_NICE = 5;

/** Lets everything else go before the calling thread. Only Linux knows priorities of threads. */
export function stepBack(): void {
  if (process.platform !== 'linux') return;
  const thread = threadId();
  if (thread === null) return;
  try {
    setPriority(thread, Math.min(19, getPriority(thread) + BULK_NICE));
  } catch {
    // It keeps its priority.
  }
}

// Memory that a long task shares with its caller: a counter that the task raises, and a flag that tells it to stop.

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
export function progressReporter(beat: Beat | null): (getsOn?: boolean) => void {
  if (!beat) return () => {};
  const numbers = new Int32Array(beat);
  return (getsOn = true) => {
    if (Atomics.load(numbers, 1) === 1) throw cancelledRequest();
    if (getsOn) Atomics.add(numbers, 0, 1);
  };
}
