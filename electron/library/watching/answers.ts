/**
 * Tells whether the file system of a path answers, before this process touches it. Without its server, a share blocks
 * one of the four threads that Node has for files until the server is back. So a child process looks first. If it hangs
 * it is left alone: it ends when the file system answers again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { SpillwayError } from '../../../shared/errors.ts';
import { type FarPath, farPathOf } from './mounts.ts';

/** How long a file system may take to answer. */
const ANSWER_MS = 1000;
/** So long an answer holds for a look at a source. */
const FRESH_MS = 200;
/** The same for a file that somebody reads. */
const READING_MS = 2000;

interface Asked {
  /** Time of the newest answer. */
  answeredAt: number;
  child: ChildProcess | null;
  childSince: number;
  /** Resolves when the child has ended. */
  ended: Promise<void>;
}

/** By mount. */
const asked = new Map<string, Asked>();

/** Resolves with whether a path's disk answers; at once for a disk of this machine. */
export async function doesAnswer(path: string, maxAgeMs = FRESH_MS): Promise<boolean> {
  const far = farPathOf(path);
  if (far === null) return true;
  const state = ask(far, maxAgeMs);
  if (state.child === null) return true;
  const left = state.childSince + ANSWER_MS - performance.now();
  if (left > 0) await within(state.ended, left);
  return state.child === null;
}

/** The same without waiting: false if unknown, and then starts asking. */
export function isKnownToAnswer(path: string): boolean {
  const far = farPathOf(path);
  return far === null || ask(far, READING_MS).child === null;
}

/** Resolves when the file system of a path answers, be it after days. */
export async function onceItAnswers(path: string): Promise<void> {
  const far = farPathOf(path);
  if (far !== null) await ask(far, FRESH_MS).ended;
}

/** Throws `stalled` when the file system of a path does not answer. */
export async function requireAnswer(path: string): Promise<void> {
  if (await doesAnswer(path, READING_MS)) return;
  throw new SpillwayError('stalled', noAnswerMessage(path), 'Spillway reads it as soon as it answers');
}

/** Says that the file system of a path does not answer. */
export function noAnswerMessage(path: string): string {
  const far = farPathOf(path);
  const place = far === null || far.mount.place === path ? '' : ` at ${far.mount.place}`;
  const where = far === null ? '' : ` (${far.mount.type}${place})`;
  return `the file system of ${path} does not answer${where}`;
}

/** Says what becomes of a source whose file system does not answer. */
export function listedLaterMessage(path: string): string {
  return `${noAnswerMessage(path)}: what is in it is listed when it does`;
}

function ask(far: FarPath, maxAgeMs: number): Asked {
  const { place } = far.mount;
  let state = asked.get(place);
  if (!state) {
    state = {
      answeredAt: Number.NEGATIVE_INFINITY,
      child: null,
      childSince: 0,
      ended: Promise.resolve(),
    };
    asked.set(place, state);
  }
  if (state.child === null && performance.now() - state.answeredAt > maxAgeMs) begin(state, far);
  return state;
}

/** A cache may answer stat(2), but statfs(2) always asks the server. */
function begin(state: Asked, { mount, path: full }: FarPath): void {
  // Looking at a path inside an automount mounts it.
  const path = mount.type === 'autofs' ? full : mount.place;
  const child = spawn('stat', ['-f', '--', path], { cwd: '/', stdio: 'ignore' });
  child.unref();
  state.child = child;
  state.childSince = performance.now();
  state.ended = new Promise((resolve) => {
    const end = () => {
      state.child = null;
      state.answeredAt = performance.now();
      resolve();
    };
    child.on('exit', end);
    // `stat` could not be started, so the answer is unknown.
    child.on('error', end);
  });
}

/** Keeps the process alive meanwhile, since a command line may be waiting for nothing else. */
async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
