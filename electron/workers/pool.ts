/**
 * A few threads that run tasks. Views go before bulk work, and one thread is never given bulk work, so that a view
 * never waits for a summary. A thread that dies is replaced and its task run once more; who asked is told.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, SpillwayError } from '../../shared/errors.ts';
import { type Beat, beats, tellToStop } from './beat.ts';
import { runTask, type TaskArgs, type TaskName, type TaskReply, type TaskResult } from './tasks.ts';

export interface TaskOptions {
  /** `view` when absent. */
  priority?: 'view' | 'bulk';
  /** A task not yet begun is dropped. One under way is told by its `beat` to stop; without one it is finished for nothing. */
  signal?: AbortSignal | undefined;
  /** Called when the thread died under the task and it is begun again. */
  onRestart?: (() => void) | undefined;
  /**
   * A counter that the task raises as it gets on. When it stands still for `STALL_MS`, the thread is ended and the
   * task rejects with `stalled`. Without threads nothing can be ended: a caller that wants this needs them.
   */
  beat?: Beat | undefined;
}

export interface Pool {
  run<N extends TaskName>(name: N, args: TaskArgs<N>, options?: TaskOptions): Promise<TaskResult<N>>;
  /** The threads there are now. */
  readonly threads: readonly Worker[];
  /** How many bulk tasks run at once. */
  readonly bulkWidth: number;
  close(): Promise<void>;
}

/** Room for short-lived objects in a thread, in MiB: what V8 takes by itself is three times as much, for no gain here. */
const YOUNG_MB = 8;

/** A task that has not got on for so long never will: its thread is ended. */
export const STALL_MS = 2000;

/** Unless the processors were others' meanwhile: what gets on slowly on a busy machine is not given up so soon. */
const BUSY_STALL_MS = 3 * STALL_MS;

/** And one that nobody waits for any more after so long: others wait for its thread. */
const CANCELLED_MS = 300;

/** `threads` for bulk work, and one more for views; 0 runs everything on the caller's thread. */
export function createPool(threads: number = Math.min(4, availableParallelism())): Pool {
  return threads === 0 ? inlinePool() : new ThreadPool(threads);
}

function inlinePool(): Pool {
  return {
    async run(name, args, options) {
      throwIfCancelled(options?.signal);
      // A turn of the event loop, so that a long chain of tasks can be interrupted.
      await new Promise((resolve) => setImmediate(resolve));
      throwIfCancelled(options?.signal);
      return runTask(name, args);
    },
    threads: [],
    bulkWidth: 1,
    close: async () => {},
  };
}

interface Job {
  name: TaskName;
  args: unknown;
  options: TaskOptions;
  tries: number;
  cancelled: boolean;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Seat {
  worker: Worker;
  job: Job | null;
  onlyViews: boolean;
  watchdog: NodeJS.Timeout | null;
}

class ThreadPool implements Pool {
  readonly bulkWidth: number;
  readonly #seats: Seat[] = [];
  #queue: { view: Job[]; bulk: Job[] } = { view: [], bulk: [] };
  #closed = false;
  #lastId = 0;

  constructor(bulkWidth: number) {
    this.bulkWidth = bulkWidth;
    this.#seat(true);
  }

  get threads(): readonly Worker[] {
    return this.#seats.map((seat) => seat.worker);
  }

  run<N extends TaskName>(name: N, args: TaskArgs<N>, options: TaskOptions = {}): Promise<TaskResult<N>> {
    return new Promise((resolve, reject) => {
      if (this.#closed || options.signal?.aborted) {
        reject(cancelled());
        return;
      }
      const cancel = () => this.#cancel(job);
      const settled = () => options.signal?.removeEventListener('abort', cancel);
      const job: Job = {
        name,
        args,
        options,
        tries: 0,
        cancelled: false,
        resolve(result) {
          settled();
          resolve(result as TaskResult<N>);
        },
        reject(error) {
          settled();
          reject(error);
        },
      };
      options.signal?.addEventListener('abort', cancel, { once: true });
      this.#queue[options.priority ?? 'view'].push(job);
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const jobs = [...this.#queue.view, ...this.#queue.bulk, ...this.#seats.flatMap((seat) => seat.job ?? [])];
    this.#queue = { view: [], bulk: [] };
    for (const job of jobs) job.reject(cancelled());
    for (const seat of this.#seats) if (seat.watchdog) clearInterval(seat.watchdog);
    await Promise.all(this.#seats.splice(0).map((seat) => seat.worker.terminate()));
  }

  #cancel(job: Job): void {
    for (const queue of [this.#queue.view, this.#queue.bulk]) {
      const at = queue.indexOf(job);
      if (at >= 0) queue.splice(at, 1);
    }
    job.cancelled = true;
    if (job.options.beat) tellToStop(job.options.beat);
    job.reject(cancelled());
  }

  #dispatch(): void {
    while (this.#queue.view.length > 0 && this.#give('view'));
    while (this.#queue.bulk.length > 0 && this.#give('bulk'));
  }

  /** Hands the oldest job of a queue to a thread that may take it; false when there is none. */
  #give(priority: 'view' | 'bulk'): boolean {
    const free = this.#seats.filter((seat) => !seat.job && (priority === 'view' || !seat.onlyViews));
    let seat = free.find((candidate) => candidate.onlyViews) ?? free[0];
    if (!seat && priority === 'view' && !this.#seats.some((candidate) => candidate.onlyViews)) {
      seat = this.#seat(true);
    }
    if (!seat && this.#seats.filter((candidate) => !candidate.onlyViews).length < this.bulkWidth) {
      seat = this.#seat(false);
    }
    if (!seat) return false;
    const job = this.#queue[priority].shift()!;
    seat.job = job;
    job.tries += 1;
    this.#lastId += 1;
    this.#guard(seat, job);
    seat.worker.ref();
    seat.worker.postMessage({ id: this.#lastId, name: job.name, args: job.args });
    return true;
  }

  #seat(onlyViews: boolean): Seat {
    const worker = new Worker(workerFile(), { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    const seat: Seat = { worker, job: null, onlyViews, watchdog: null };
    this.#seats.push(seat);
    // An idle thread keeps no process alive; one with a task does.
    worker.unref();
    worker.on('message', (reply: TaskReply) => {
      const { job } = seat;
      seat.job = null;
      if (seat.watchdog) clearInterval(seat.watchdog);
      worker.unref();
      if (reply.ok) job?.resolve(reply.result);
      else job?.reject(new SpillwayError(reply.error.code as ErrorCode, reply.error.what, reply.error.todo));
      this.#dispatch();
    });
    worker.on('messageerror', (error) => this.#lost(seat, error));
    worker.on('error', (error) => this.#lost(seat, error));
    worker.on('exit', () => this.#lost(seat));
    return seat;
  }

  #guard(seat: Seat, job: Job): void {
    const { beat } = job.options;
    if (!beat) return;
    let last = beats(beat);
    // Not the time of day: that jumps when the machine wakes up.
    let since = performance.now();
    let spent = process.cpuUsage();
    const stalled = () => {
      const waited = performance.now() - since;
      if (job.cancelled) return waited >= CANCELLED_MS;
      const { user, system } = process.cpuUsage(spent);
      return waited >= STALL_MS && (user + system >= STALL_MS * 1000 || waited >= BUSY_STALL_MS);
    };
    seat.watchdog = setInterval(() => {
      const now = beats(beat);
      if (now !== last) {
        last = now;
        since = performance.now();
        spent = process.cpuUsage();
      } else if (stalled()) {
        job.reject(new SpillwayError('stalled', 'the search got no further', 'simplify the expression'));
        // Nothing is left to be done again.
        seat.job = null;
        this.#lost(seat);
      }
    }, STALL_MS / 10).unref();
  }

  /** The thread died. Another runs its task again, once. */
  #lost(seat: Seat, error?: unknown): void {
    const at = this.#seats.indexOf(seat);
    if (at < 0 || this.#closed) return;
    this.#seats.splice(at, 1);
    if (seat.watchdog) clearInterval(seat.watchdog);
    void seat.worker.terminate();
    // Another is started when there is something to do: one that can't start must not be started for ever.
    const { job } = seat;
    if (job && !job.options.signal?.aborted) {
      if (job.tries < 2) {
        this.#queue[job.options.priority ?? 'view'].unshift(job);
        job.options.onRestart?.();
      } else {
        const why = error instanceof Error ? ` (${error.message})` : '';
        job.reject(
          new SpillwayError(
            'internal',
            `a background reader stopped twice${why}`,
            'ask again, or for less at once',
          ),
        );
      }
    }
    this.#dispatch();
  }
}

/** Beside the bundle; when run from source, as built. */
function workerFile(): string {
  // A thread is started from a file, which the package keeps outside its archive.
  const beside = fileURLToPath(new URL('./worker.js', import.meta.url)).replace(
    /app\.asar(?=[\\/])/,
    'app.asar.unpacked',
  );
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../dist/node/worker.js', import.meta.url));
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelled();
}

function cancelled(): SpillwayError {
  return new SpillwayError('cancelled', 'the request was cancelled', 'ask again');
}
