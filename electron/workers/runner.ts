/**
 * What runs tasks for the pool: a thread, or a process of its own. A process shares neither descriptors nor memory with
 * this one, so its descriptors get numbers that are its own, and memory is copied on the way there. A share needs a process:
 * one that has a file of a share open can start no program while the share hangs, as FUSE is asked about each
 * descriptor that a child closes, and one with a blocked thread cannot end.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { SpillwayError } from '../../shared/errors.ts';

export interface Runner {
  /** Id of its thread, or of its process; null until it is known. */
  readonly pid: number | null;
  readonly worker: Worker | null;
  /** Whether a descriptor is its own, as it is known here. */
  has(fd: number): boolean;
  /** Throws `changed` if the message is about a file that an earlier process of the disk had open. */
  post(message: unknown): void;
  /** Whether it keeps this process alive. */
  hold(holds: boolean): void;
  end(): Promise<unknown>;
}

interface RunnerOwner {
  message(message: unknown): void;
  ended(error?: unknown): void;
}

/** A thread's memory for short-lived objects, in MiB. V8's default is three times as much, for no gain here. */
const YOUNG_MIB = 8;

/** @param stepsBack with a lower priority */
export function startThread(stepsBack: boolean, owner: RunnerOwner): Runner {
  let thread: number | null = null;
  const worker = new Worker(workerFile(), {
    workerData: { stepsBack },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    // What a thread opened stays open when it ends.
    trackUnmanagedFds: false,
  });
  worker.on('message', (message) => {
    if (typeof message.thread === 'number') thread = message.thread;
    else owner.message(message);
  });
  worker.on('messageerror', (error) => owner.ended(error));
  worker.on('error', (error) => owner.ended(error));
  worker.on('exit', () => owner.ended());
  return {
    get pid() {
      return thread;
    },
    worker,
    has: (fd) => fd < FOREIGN,
    post: (message) => worker.postMessage(message),
    hold: (holds) => (holds ? worker.ref() : worker.unref()),
    end: () => worker.terminate(),
  };
}

/** The descriptor 3 of the nth process is known here as n times this and 3. */
const LIFE = 2 ** 20;
/** Descriptors of other processes. */
export const FOREIGN = LIFE;
let lives = 0;
const children = new Set<ChildProcess>();
// One that waits for its share does not see us end.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export function startProcess(owner: RunnerOwner): Runner {
  lives += 1;
  const life = lives;
  const child: ChildProcess = fork(workerFile(), {
    cwd: '/',
    // Electron's own program may be built to run nothing but Electron.
    execPath: process.versions.electron === undefined ? process.execPath : 'node',
    execArgv: [],
    // The signals of a terminal go to the processes of its group.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('message', (message: { result?: { fd?: number } }) => {
    const { fd } = message.result ?? {};
    if (typeof fd === 'number') message.result!.fd = fd + life * LIFE;
    owner.message(message);
  });
  child.on('error', (error) => owner.ended(error));
  children.add(child);
  child.on('exit', () => {
    children.delete(child);
    owner.ended();
  });
  return {
    pid: child.pid ?? null,
    worker: null,
    has: (fd) => Math.floor(fd / LIFE) === life,
    post: (message) => child.send(portable(message, life) as object, () => {}),
    hold(holds) {
      for (const one of [child, child.channel])
        if (holds) one?.ref();
        else one?.unref();
    },
    async end() {
      child.kill('SIGKILL');
    },
  };
}

/** Returns the value as another process gets it: its own descriptors, and copies of shared memory. */
function portable(value: unknown, life: number): unknown {
  if (value instanceof SharedArrayBuffer) {
    const copy = new Uint8Array(value.byteLength);
    copy.set(new Uint8Array(value));
    return copy.buffer;
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((each) => portable(each, life));
  const copy: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value))
    copy[name] = name === 'fd' && typeof each === 'number' ? ownNumber(each, life) : portable(each, life);
  return copy;
}

function ownNumber(fd: number, life: number): number {
  if (Math.floor(fd / LIFE) === life) return fd % LIFE;
  throw new SpillwayError('changed', 'the process that had the file open has ended', 'ask again');
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
