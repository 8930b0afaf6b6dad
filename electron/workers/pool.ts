/**
 * Runs tasks on a few threads. Views go before bulk work, and one thread never takes bulk work, so a view never
 * waits for a summary. When a thread dies, it is replaced and its task runs once more; the caller is told.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { cancelledRequest, type ErrorCode, SpillwayError } from '../../shared/errors.ts';
import { type Beat, beats, tellToStop } from './beat.ts';
import type { TaskArgs, TaskName, TaskReply, TaskResult } from './tasks.ts';

export interface TaskOptions {
  /** `view` by default. */
  priority?: 'view' | 'bulk';
  /**
   * Drops a task that has not begun. A running one is told through its `beat`; without one it runs on and its result
   * is ignored.
   */
  signal?: AbortSignal | undefined;
  /** Called when the task starts again because its thread died. */
  onRestart?: (() => void) | undefined;
  /**
   * A counter that the task raises. When it stands still for `STALL_MS`, the thread is ended and the task rejects
   * with `stalled`. That needs threads: a task on the caller's own thread can't be ended.
   */
  beat?: Beat | undefined;
}

export interface Pool {
  run<N extends TaskName>(name: N, args: TaskArgs<N>, options?: TaskOptions): Promise<TaskResult<N>>;
  readonly threads: readonly Worker[];
  /** Number of bulk tasks that run at once. */
  readonly bulkWidth: number;
  close(): Promise<void>;
}

/** A thread's memory for short-lived objects, in MiB. V8's default is three times as much, for no gain here. */
const YOUNG_MIB = 8;

/** A task that makes no progress for this long never will: its thread is ended. */
const STALL_MS = 2000;

/** The limit while other programs keep the processors busy: this process got less than `STALL_MS` of them. */
const BUSY_STALL_MS = 5 * STALL_MS;

/** A cancelled task that runs on for this long loses its thread: other tasks wait for it. */
const CANCELLED_MS = 300;

interface PoolOptions {
  /** Starts the first thread at once, so that the first view need not wait for it; a thread takes 100 ms to start. */
  early?: boolean;
  /** Keeps a thread for views, which then never wait for bulk work. True by default. */
  keepsOneForViews?: boolean;
}

/** Creates a pool: `threads` for bulk work and, by default, one for views. With 0, tasks run on the caller's thread. */
export function createPool(
  threads: number = Math.min(4, availableParallelism()),
  { early = true, keepsOneForViews = true }: PoolOptions = {},
): Pool {
  return threads === 0 ? inlinePool() : new ThreadPool(threads, early, keepsOneForViews);
}

function inlinePool(): Pool {
  return {
    async run(name, args, options) {
      throwIfCancelled(options?.signal);
      // Yield to the event loop, so that a long chain of tasks can be cancelled.
      await new Promise((resolve) => setImmediate(resolve));
      throwIfCancelled(options?.signal);
      // Loading the tasks takes 30 ms of processor, which a process with threads of its own can save.
      const { beginTask, isSteps } = await import('./tasks.ts');
      const begun = beginTask(name, args);
      if (!isSteps(begun)) return begun;
      for (;;) {
        const { done, value } = begun.next();
        if (done) return value;
        await new Promise((resolve) => setImmediate(resolve));
        throwIfCancelled(options?.signal);
      }
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
  readonly #keepsOne: boolean;
  readonly #seats: Seat[] = [];
  #queue: { view: Job[]; bulk: Job[] } = { view: [], bulk: [] };
  #closed = false;
  #lastId = 0;

  constructor(bulkWidth: number, early: boolean, keepsOne: boolean) {
    this.bulkWidth = bulkWidth;
    this.#keepsOne = keepsOne;
    if (early) this.#seat(keepsOne);
  }

  get threads(): readonly Worker[] {
    return this.#seats.map((seat) => seat.worker);
  }

  run<N extends TaskName>(name: N, args: TaskArgs<N>, options: TaskOptions = {}): Promise<TaskResult<N>> {
    return new Promise((resolve, reject) => {
      if (this.#closed || options.signal?.aborted) {
        reject(cancelledRequest());
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
    for (const job of jobs) job.reject(cancelledRequest());
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
    job.reject(cancelledRequest());
  }

  #dispatch(): void {
    while (this.#queue.view.length > 0 && this.#give('view'));
    while (this.#queue.bulk.length > 0 && this.#give('bulk'));
  }

  /** Gives the oldest job of a queue to a thread that may take it; returns false when there is none. */
  #give(priority: 'view' | 'bulk'): boolean {
    const free = this.#seats.filter((seat) => !seat.job && (priority === 'view' || !seat.onlyViews));
    let seat = free.find((candidate) => candidate.onlyViews) ?? free[0];
    const canKeepOne = this.#keepsOne && !this.#seats.some(({ onlyViews }) => onlyViews);
    if (!seat && priority === 'view' && canKeepOne) seat = this.#seat(true);
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
    const worker = new Worker(workerFile(), {
      // Where no thread is kept for views, nobody else waits for this process.
      workerData: { stepsBack: this.#keepsOne && !onlyViews },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    const seat: Seat = { worker, job: null, onlyViews, watchdog: null };
    this.#seats.push(seat);
    // An idle thread must not keep the process alive.
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
    // Not the time of day, which jumps when the machine wakes up.
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
        job.reject(new SpillwayError('stalled', 'the search made no progress', 'simplify the expression'));
        // Drop the job first, so that it does not run again.
        seat.job = null;
        this.#lost(seat);
      }
    }, STALL_MS / 10).unref();
  }

  /** Handles a thread's death: another thread runs its task again, once. */
  #lost(seat: Seat, error?: unknown): void {
    const at = this.#seats.indexOf(seat);
    if (at < 0 || this.#closed) return;
    this.#seats.splice(at, 1);
    if (seat.watchdog) clearInterval(seat.watchdog);
    void seat.worker.terminate();
    // A new thread starts only with a job: one that can't start must not be restarted forever.
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

/** Returns the worker's file: beside the bundle, or in dist/ when run from source. */
function workerFile(): string {
  // A thread needs a real file, which the package keeps outside its archive.
  const beside = fileURLToPath(new URL('./worker.cjs', import.meta.url)).replace(
    /app\.asar(?=[\\/])/,
    'app.asar.unpacked',
  );
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../dist/node/worker.cjs', import.meta.url));
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledRequest();
}
