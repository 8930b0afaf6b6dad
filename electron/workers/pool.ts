/**
 * Runs tasks on a few threads. Views go before bulk work, and one thread never takes bulk work, so a view never
 * waits for a summary. When a thread dies, it is replaced and its task runs once more; the caller is told.
 *
 * No other thread touches a file of a source: any call may wait for its disk, for a share without its server for days.
 * Each disk has a thread for its small tasks (`files`). A share has a process for all its tasks: as long as a process has
 * a file of it open, or a thread that waits for it, it can neither start another program nor end. A task that waits in
 * one call for a second rejects with `stalled`, and its disk gets no more tasks until the call returns.
 */
import { closeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { cancelledRequest, closing, type ErrorCode, SpillwayError } from '../../shared/errors.ts';
import type { StreamHandle } from '../reader/bytes/open-stream.ts';
import { type FarPath, farPathOf, isServed } from '../reader/disks/mounts.ts';
import { type Beat, beats, CallWatch, tellToStop } from './call-watch.ts';
import { fileTasks } from './file-tasks.ts';
import { FOREIGN, type Runner, startProcess, startThread } from './runner.ts';
import type { TaskArgs, TaskName, TaskReply, TaskResult } from './tasks.ts';
import { type FolderHints, type FolderWatch, WatchesThere, type WatchNews, watchFolder } from './watches.ts';

type Priority = 'view' | 'bulk' | 'idle' | 'files';

export interface TaskOptions<R = unknown> {
  /**
   * `view` by default. `idle` work may take many seconds. Where a thread is kept for views, it has one of its own, so that
   * no search waits for it.
   */
  priority?: Priority;
  /** A path on the disk that the task may wait for. By default the one of the stream that it reads. */
  path?: string;
  /** Gets a result that comes after the task was given up. */
  late?(result: R): void;
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
  /** Rejects with `stalled` when the disk does not answer, and with errors of the system. */
  run<N extends TaskName>(
    name: N,
    args: TaskArgs<N>,
    options?: TaskOptions<TaskResult<N>>,
  ): Promise<TaskResult<N>>;
  /**
   * Watches a folder. Throws what the system throws: `ENOSPC` or `EMFILE` when no watches are left; a folder of a disk
   * that may not answer tells of it later.
   */
  watch(folder: string, hints: FolderHints): FolderWatch;
  /** Closes a descriptor. A share is told of it, so that waits until it answers. */
  closeFile(path: string, fd: number): void;
  /** Whether a process of its own has the files of a path's disk open: their descriptors mean nothing here. */
  hasOwnProcess(path: string): boolean;
  /** Resolves when it is worth trying a path again whose disk did not answer. */
  answering(path: string): Promise<void>;
  readonly threads: readonly Worker[];
  /** Number of bulk tasks that run at once. */
  readonly bulkWidth: number;
  close(): Promise<void>;
}

/** A task that makes no progress for this long never will: its thread is ended. */
const STALL_MS = 2000;

/** The limit while other programs keep the processors busy: this process got less than `STALL_MS` of them. */
const BUSY_STALL_MS = 5 * STALL_MS;

/** How often to look at what waits in a call, and after how many looks that counts as no answer. */
const CHECK_MS = 200;
const LOOKS = 5;
/** Of a message whose answer nobody waits for. */
const NO_ID = 0;

/** So many threads may wait for the near disks, which are one to us, before these get no more tasks. */
const MAX_NEAR_STUCK = 4;

/** A cancelled task that runs on for this long loses its thread: other tasks wait for it. */
const CANCELLED_MS = 300;

interface PoolOptions {
  /** Starts the first thread at once, so that the first view need not wait for it; a thread takes 100 ms to start. */
  early?: boolean;
  /** Keeps a thread for views, which then never wait for bulk work. True by default. */
  keepsOneForViews?: boolean;
}

/**
 * Creates a pool: `threads` for bulk work and, by default, one for views. With 0, tasks run on the caller's thread, but
 * those of shares.
 */
export function createPool(
  threads: number = Math.min(4, availableParallelism()),
  { early = true, keepsOneForViews = true }: PoolOptions = {},
): Pool {
  return new ThreadPool(threads, early, keepsOneForViews);
}

interface Job {
  name: TaskName;
  args: unknown;
  options: TaskOptions;
  priority: Priority;
  /** The path whose disk it may wait for, and where that is mounted; empty for the near disks. */
  path: string | null;
  disk: string;
  /** Whether only the thread or process of the disk runs it. */
  isOfDisk: boolean;
  tries: number;
  cancelled: boolean;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface WorkerSlot {
  runner: Runner;
  job: Job | null;
  /** Its tasks: views and bulk work, views alone, idle work, or those of a disk. */
  takes: 'all' | 'views' | 'idle' | { disk: string };
  watchdog: NodeJS.Timeout | null;
  calls: CallWatch | null;
  watches: WatchesThere;
}

class ThreadPool implements Pool {
  readonly bulkWidth: number;
  readonly #isInline: boolean;
  readonly #keepsOne: boolean;
  readonly #slots: WorkerSlot[] = [];
  /** Those that wait in a call, with the task that was given up. */
  readonly #stuck = new Map<WorkerSlot, Job>();
  #returned: (() => void)[] = [];
  #queue: Job[] = [];
  #checks: NodeJS.Timeout | null = null;
  #closed = false;
  #lastId = 0;
  /** No program was found to run a process with: shares have threads. */
  #hasNoProcesses = false;

  constructor(threads: number, early: boolean, keepsOne: boolean) {
    this.#isInline = threads === 0;
    this.bulkWidth = Math.max(1, threads);
    this.#keepsOne = keepsOne;
    if (early && !this.#isInline) this.#openSlot(keepsOne ? 'views' : 'all');
  }

  get threads(): readonly Worker[] {
    return this.#slots.flatMap(({ runner }) => runner.worker ?? []);
  }

  run<N extends TaskName>(
    name: N,
    args: TaskArgs<N>,
    options: TaskOptions<TaskResult<N>> = {},
  ): Promise<TaskResult<N>> {
    const path = options.path ?? pathRead(args);
    return this.#enter(name, args, options as TaskOptions, path) as Promise<TaskResult<N>>;
  }

  closeFile(path: string, fd: number): void {
    const far = farPathOf(path);
    if (fd < FOREIGN && (far === null || this.#isInline)) {
      closeSync(fd);
      return;
    }
    const disk = far?.mount.place ?? '';
    const isOwn = ({ runner, takes }: WorkerSlot) =>
      runner.worker ? typeof takes === 'object' && takes.disk === disk : runner.has(fd);
    const slot = [...this.#slots, ...this.#stuck.keys()].find(isOwn);
    // Also while it waits in a call: it is closed when that returns.
    slot?.runner.post({ id: NO_ID, name: 'close', args: { fd } });
  }

  hasOwnProcess(path: string): boolean {
    return this.#isServed(farPathOf(path));
  }

  watch(folder: string, hints: FolderHints): FolderWatch {
    const far = farPathOf(folder);
    if (far === null || (this.#isInline && !this.#isServed(far))) return watchFolder(folder, hints);
    if (this.#isSilent(far.mount.place)) throw noAnswer(folder);
    return this.#ofDisk(far).watches.begin(folder, hints);
  }

  async answering(path: string): Promise<void> {
    while (this.#isSilent(farPathOf(path)?.mount.place ?? '') && !this.#closed)
      await new Promise<void>((resolve) => this.#returned.push(resolve));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const jobs = [...this.#queue, ...this.#slots.flatMap((slot) => slot.job ?? [])];
    this.#queue = [];
    for (const job of jobs) job.reject(closing());
    for (const slot of this.#slots) if (slot.watchdog) clearInterval(slot.watchdog);
    if (this.#checks) clearInterval(this.#checks);
    for (const resolve of this.#returned.splice(0)) resolve();
    // A thread that waits in a call ends when that returns.
    for (const { runner } of this.#stuck.keys()) void runner.end();
    await Promise.all(this.#slots.splice(0).map((slot) => ended(slot)));
  }

  #isServed(far: FarPath | null): boolean {
    return far !== null && !this.#hasNoProcesses && isServed(far);
  }

  #enter(name: TaskName, args: unknown, options: TaskOptions, path: string | null): Promise<unknown> {
    const far = path === null ? null : farPathOf(path);
    const priority = options.priority ?? (name in fileTasks ? 'files' : 'view');
    const isOfDisk = this.#isServed(far) || (priority === 'files' && !this.#isInline);
    return new Promise((resolve, reject) => {
      if (this.#closed || options.signal?.aborted) {
        reject(this.#closed ? closing() : cancelledRequest());
        return;
      }
      const disk = far?.mount.place ?? '';
      if (path !== null && this.#isSilent(disk)) {
        reject(noAnswer(path));
        return;
      }
      if (this.#isInline && !isOfDisk) {
        runHere(name, args, options).then(resolve, reject);
        return;
      }
      const cancel = () => this.#cancel(job);
      const settled = () => options.signal?.removeEventListener('abort', cancel);
      const job: Job = {
        ...{ name, args, options, priority, path, disk, isOfDisk, tries: 0, cancelled: false },
        resolve(result) {
          settled();
          resolve(result);
        },
        reject(error) {
          settled();
          reject(error);
        },
      };
      options.signal?.addEventListener('abort', cancel, { once: true });
      this.#queue.push(job);
      this.#dispatch();
    });
  }

  /** Whether a disk gets no tasks now: one of them waits in a call. */
  #isSilent(disk: string): boolean {
    const stuck = [...this.#stuck.values()].filter((job) => job.disk === disk).length;
    return stuck >= (disk === '' ? MAX_NEAR_STUCK : 1);
  }

  #cancel(job: Job): void {
    const at = this.#queue.indexOf(job);
    if (at >= 0) this.#queue.splice(at, 1);
    job.cancelled = true;
    if (job.options.beat) tellToStop(job.options.beat);
    job.reject(cancelledRequest());
  }

  #dispatch(): void {
    for (const priority of ['files', 'view', 'bulk', 'idle'] as const)
      for (const job of this.#queue.filter((each) => each.priority === priority)) {
        const slot = this.#slotFor(job);
        if (slot) this.#give(job, slot);
      }
  }

  /** Returns a free thread or process for a task; null when none is free. */
  #slotFor({ isOfDisk, path, priority }: Job): WorkerSlot | null {
    if (isOfDisk) {
      const own = this.#ofDisk(path === null ? null : farPathOf(path));
      return own.job === null ? own : null;
    }
    if (priority === 'idle' && this.#keepsOne) {
      const own = this.#slots.find(({ takes }) => takes === 'idle') ?? this.#openSlot('idle');
      return own.job === null ? own : null;
    }
    const views = this.#slots.find(({ takes }) => takes === 'views');
    const all = this.#slots.filter(({ takes }) => takes === 'all');
    const free = all.find(({ job }) => job === null);
    if (priority !== 'bulk' && priority !== 'idle') {
      if (views?.job === null) return views;
      if (!free && this.#keepsOne && !views) return this.#openSlot('views');
    }
    return free ?? (all.length < this.bulkWidth ? this.#openSlot('all') : null);
  }

  /** The thread or process of a disk. */
  #ofDisk(far: FarPath | null): WorkerSlot {
    const disk = far?.mount.place ?? '';
    const own = this.#slots.find(({ takes }) => typeof takes === 'object' && takes.disk === disk);
    return own ?? this.#openSlot({ disk }, this.#isServed(far));
  }

  #give(job: Job, slot: WorkerSlot): void {
    this.#queue.splice(this.#queue.indexOf(job), 1);
    this.#lastId += 1;
    try {
      slot.runner.post({ id: this.#lastId, name: job.name, args: job.args });
    } catch (error) {
      job.reject(error as Error);
      return;
    }
    slot.job = job;
    job.tries += 1;
    this.#guard(slot, job);
    this.#checks ??= setInterval(() => this.#checkCalls(), CHECK_MS).unref();
    slot.runner.hold(true);
  }

  #openSlot(takes: WorkerSlot['takes'], isProcess = false): WorkerSlot {
    const owner = {
      message: (reply: TaskReply | WatchNews) => {
        if ('watched' in reply) slot.watches.take(reply);
        else if (this.#stuck.has(slot)) this.#isBack(slot, reply);
        else this.#answered(slot, reply);
      },
      ended: (error?: unknown) => this.#lost(slot, error),
    };
    // Where no thread is kept for views, nobody else waits for this process.
    const stepsBack = this.#keepsOne && (takes === 'all' || takes === 'idle');
    const runner = isProcess ? startProcess(owner) : startThread(stepsBack, owner);
    const watches = new WatchesThere((message) => runner.post(message));
    const slot: WorkerSlot = { runner, job: null, takes, watchdog: null, calls: null, watches };
    this.#slots.push(slot);
    // While it is idle it must not keep this process alive.
    runner.hold(false);
    return slot;
  }

  #answered(slot: WorkerSlot, reply: TaskReply): void {
    const { job } = slot;
    if (reply.id === NO_ID) return;
    slot.job = null;
    if (slot.watchdog) clearInterval(slot.watchdog);
    // Closing waits for the end of its thread: without it, a process with nothing left to do would exit with status 13.
    if (!this.#closed) slot.runner.hold(false);
    if (reply.ok) job?.resolve(reply.result);
    else job?.reject(errorIn(reply.error));
    this.#dispatch();
  }

  #checkCalls(): void {
    const busy = this.#slots.filter(({ job }) => job !== null);
    if (busy.length === 0 && this.#checks) {
      clearInterval(this.#checks);
      this.#checks = null;
    }
    for (const slot of busy) {
      const { pid, worker } = slot.runner;
      if (pid !== null) slot.calls ??= new CallWatch(pid, worker !== null);
      if (slot.job!.path !== null && (slot.calls?.poll() ?? 0) >= LOOKS) this.#giveUp(slot, slot.job!);
    }
  }

  /** Gives up a task that waits in a call, and with it the ones that wait for the same disk. */
  #giveUp(slot: WorkerSlot, job: Job): void {
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    this.#stuck.set(slot, job);
    if (slot.runner.worker) stuckThreads += 1;
    if (slot.watchdog) clearInterval(slot.watchdog);
    slot.runner.hold(false);
    job.reject(noAnswer(job.path!));
    if (this.#isSilent(job.disk))
      for (const other of this.#queue.filter(({ path, disk }) => path !== null && disk === job.disk)) {
        this.#queue.splice(this.#queue.indexOf(other), 1);
        other.reject(noAnswer(other.path!));
      }
    this.#dispatch();
  }

  /** The call that was given up has returned. */
  #isBack(slot: WorkerSlot, reply: TaskReply | null): void {
    const job = this.#stuck.get(slot);
    this.#stuck.delete(slot);
    if (slot.runner.worker) stuckThreads -= 1;
    if (reply?.ok) job?.options.late?.(reply.result);
    const { takes } = slot;
    const isWanted = reply !== null && typeof takes === 'object' && takes.disk !== '' && !this.#closed;
    slot.job = null;
    if (isWanted) this.#slots.push(slot);
    // Another has taken its place.
    else void slot.runner.end();
    for (const resolve of this.#returned.splice(0)) resolve();
    this.#dispatch();
  }

  #guard(slot: WorkerSlot, job: Job): void {
    const { beat } = job.options;
    if (!beat) return;
    let last = beats(beat);
    // Not the time of day, which jumps when the machine wakes up.
    let since = performance.now();
    let spent = process.cpuUsage();
    const stalled = () => {
      const waited = performance.now() - since;
      // A process does not share the counter.
      if (!slot.runner.worker) return job.cancelled && waited >= BUSY_STALL_MS;
      if (job.cancelled) return waited >= CANCELLED_MS;
      const { user, system } = process.cpuUsage(spent);
      return waited >= STALL_MS && (user + system >= STALL_MS * 1000 || waited >= BUSY_STALL_MS);
    };
    slot.watchdog = setInterval(() => {
      const now = beats(beat);
      if (now !== last) {
        last = now;
        since = performance.now();
        spent = process.cpuUsage();
      } else if (stalled()) {
        job.reject(new SpillwayError('stalled', 'the search made no progress', 'simplify the expression'));
        // Drop the job first, so that it does not run again.
        slot.job = null;
        this.#lost(slot);
      }
    }, STALL_MS / 10).unref();
  }

  /** Handles a death: another thread or process runs its task again, once. */
  #lost(slot: WorkerSlot, error?: unknown): void {
    if (this.#stuck.has(slot)) this.#isBack(slot, null);
    slot.watches.end();
    const at = this.#slots.indexOf(slot);
    if (at < 0 || this.#closed) return;
    this.#slots.splice(at, 1);
    if (slot.watchdog) clearInterval(slot.watchdog);
    if (!slot.runner.worker && slot.runner.pid === null) this.#hasNoProcesses = true;
    void slot.runner.end();
    // A new one starts only with a job: one that can't start must not be restarted forever.
    const { job } = slot;
    if (job && !job.options.signal?.aborted) {
      if (job.tries < 2) {
        this.#queue.unshift(job);
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

/** Runs a task on the caller's thread. */
async function runHere(name: TaskName, args: unknown, { signal }: TaskOptions): Promise<unknown> {
  if (name in fileTasks) return fileTasks[name as keyof typeof fileTasks](args as never);
  // Yield to the event loop, so that a long chain of tasks can be cancelled.
  await new Promise((resolve) => setImmediate(resolve));
  throwIfCancelled(signal);
  // Loading the tasks takes 30 ms of processor, which a process with threads of its own can save.
  const { beginTask, isSteps } = await import('./tasks.ts');
  const begun = beginTask(name, args as TaskArgs<TaskName>);
  if (!isSteps(begun)) return begun;
  for (;;) {
    const { done, value } = begun.next();
    if (done) return value;
    await new Promise((resolve) => setImmediate(resolve));
    throwIfCancelled(signal);
  }
}

/** Threads of this process that wait in a call. */
let stuckThreads = 0;
// Node waits for its threads when it exits, and for one in such a call until the disk answers.
process.on('exit', () => {
  if (stuckThreads > 0) process.kill(process.pid, 'SIGKILL');
});

/** Resolves when a thread has ended; at once for one that waits in a call. */
async function ended({ runner, job, calls }: WorkerSlot): Promise<void> {
  const end = runner.end();
  if (job === null || calls === null) {
    await end;
    return;
  }
  let state: 'ends' | 'stuck' | 'over' = 'ends';
  void end.then(() => {
    if (state === 'stuck') stuckThreads -= 1;
    state = 'over';
  });
  while ((state as string) !== 'over') {
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS / 10));
    if (calls.poll() < LOOKS) continue;
    state = 'stuck';
    stuckThreads += 1;
    return;
  }
}

function noAnswer(path: string): SpillwayError {
  return new SpillwayError('stalled', noAnswerMessage(path), 'Spillway reads it as soon as it answers');
}

/** Says that the disk of a path does not answer. */
export function noAnswerMessage(path: string): string {
  const far = farPathOf(path);
  const place = far === null || far.mount.place === path ? '' : ` at ${far.mount.place}`;
  const where = far === null ? '' : ` (${far.mount.type}${place})`;
  return `the file system of ${path} does not answer${where}`;
}

/** Returns the path of a stream that a task reads: of one that may not answer, if there is one. */
function pathRead(args: unknown): string | null {
  const { stream, streams = [] } = args as { stream?: StreamHandle; streams?: readonly StreamHandle[] };
  const paths = (stream ? [stream, ...streams] : streams).flatMap(pathsOf);
  return paths.find((path) => farPathOf(path) !== null) ?? paths[0] ?? null;
}

function pathsOf(handle: StreamHandle): string[] {
  if (handle.type === 'pieces') return handle.parts.flatMap(pathsOf);
  return handle.type === 'bytes' || handle.path === undefined ? [] : [handle.path];
}

function errorIn({ code, what, todo, system }: (TaskReply & { ok: false })['error']): Error {
  if (system !== undefined) return Object.assign(new Error(what), { code: system });
  return new SpillwayError(code as ErrorCode, what, todo);
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledRequest();
}
