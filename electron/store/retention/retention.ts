/** Decides which captures go and which stay, and why. Changes nothing on disk. */
import type { RemovedReason, StayedReason } from '../../../shared/lifecycle.ts';
import type { Capture, SessionFolder } from '../format/folder.ts';
import { isAlive, type Owner, QUIET_MS } from '../format/owner.ts';
import { lstatOrNull, sandboxOf } from '../format/places.ts';

/** From arguments or from the settings. Ages count from the capture's end. */
export interface Rules {
  /** Remove captures that ended longer ago; null: ignore age. 0: all that ended, whatever the clock says. */
  olderThanMs: number | null;
  /** Most bytes for all captures together; null: no limit. */
  maxTotalBytes: number | null;
  /** Consider only these. */
  ids: ReadonlySet<string> | null;
  keep: ReadonlySet<string>;
  /** Remove everything that may go. */
  all: boolean;
  /** Remove captures of ephemeral sessions whose owner has ended. */
  abandoned: boolean;
  /** Captures that wait to be shipped, and how many bytes of them are kept beyond their time. Null keeps none. */
  spool?: { isWaiting(capture: Capture): boolean; maxBytes: number } | null;
}

export interface Judged {
  capture: Capture;
  session: string | null;
  verdict: { goes: RemovedReason } | { stays: StayedReason; detail?: string };
}

/** Returns a verdict for each capture, in the folders' order. `now`: milliseconds since the epoch. */
export function judge(
  folders: readonly SessionFolder[],
  rules: Rules,
  now: number,
  alive: Alive = isAlive,
): Judged[] {
  const judged = folders.flatMap((folder) => {
    const abandoned = rules.abandoned && isAbandoned(folder, alive);
    return folder.captures
      .filter(({ id, gone }) => gone === null && (rules.ids === null || rules.ids.has(id)))
      .map((capture): Judged => {
        const session = capture.record?.session ?? folder.session?.name ?? null;
        return { capture, session, verdict: verdictOn(capture, abandoned, rules, now, alive) };
      });
  });
  if (rules.maxTotalBytes !== null) shrink(judged, rules.maxTotalBytes);
  if (rules.spool) spare(judged, rules.spool);
  return judged;
}

/** Keeps the newest of what waits to be shipped, as far as there is room for it. */
function spare(judged: Judged[], { isWaiting, maxBytes }: NonNullable<Rules['spool']>): void {
  let left = maxBytes;
  const newestFirst = judged
    .filter(({ capture, verdict }) => 'goes' in verdict && isWaiting(capture))
    .sort((a, b) => endedMs(b.capture) - endedMs(a.capture));
  for (const one of newestFirst) {
    left -= one.capture.bytes;
    if (left < 0) return;
    one.verdict = { stays: 'unshipped' };
  }
}

type Alive = (owner: Owner, seen: () => number, quietMs?: number) => boolean;

/** A session's owner gives a sign of life only when it uses the session. */
const SESSION_QUIET_MS = 24 * 60 * 60 * 1000;

/** True for an ephemeral session without a living owner. */
export function isAbandoned(folder: SessionFolder, alive: Alive = isAlive): boolean {
  return folder.session?.ephemeral === true && !hasOwner(folder, alive);
}

/** True when the session's owner is alive. */
export function hasOwner(folder: SessionFolder, alive: Alive = isAlive): boolean {
  const owner = folder.session?.owner ?? null;
  return owner !== null && alive(owner, () => usedMs(folder), SESSION_QUIET_MS);
}

/** Returns when the session was last used, in milliseconds since the epoch. */
export function usedMs({ path, writtenMs, captures }: SessionFolder): number {
  const made = writtenMs || (lstatOrNull(path)?.mtimeMs ?? 0);
  return captures.reduce((latest, capture) => Math.max(latest, endedMs(capture)), made);
}

/** Returns when the capture ended (or was last written, when its recorder died), in milliseconds since the epoch. */
export function endedMs(capture: Capture): number {
  const recorded = Date.parse(capture.record?.ended_at ?? '');
  const written = lastWrittenMs(capture);
  if (Number.isNaN(recorded)) return written;
  return sandboxOf(capture.folder) === null ? recorded : Math.min(recorded, written);
}

/** True while the recorder named in its record is alive. */
export function isRunning(capture: Capture, alive: Alive = isAlive): boolean {
  const recorder = capture.record?.recorder ?? null;
  if (recorder === null || !alive(recorder, () => lastWrittenMs(capture))) return false;
  // Any process may be named there, such as one that never ends.
  return sandboxOf(capture.folder) === null || Date.now() - lastWrittenMs(capture) < QUIET_MS;
}

/** By a time that what runs in a sandbox cannot set. */
function lastWrittenMs({ folder, files }: Pick<Capture, 'folder' | 'files'>): number {
  const isFromSandbox = sandboxOf(folder) !== null;
  return Math.max(0, ...files.map((file) => (isFromSandbox ? file.changedMs : file.mtimeMs)));
}

function verdictOn(
  capture: Capture,
  abandoned: boolean,
  rules: Rules,
  now: number,
  alive: Alive,
): Judged['verdict'] {
  const isFromSandbox = sandboxOf(capture.folder) !== null;
  if (capture.newer && !isFromSandbox) return { stays: 'newer', detail: sentence(capture.problem) };
  if (capture.pinned) return { stays: 'pinned' };
  if (rules.keep.has(capture.id)) return { stays: 'kept' };
  // What a sandbox's commands put there goes like their captures, whatever it is.
  const foreign = isFromSandbox ? undefined : capture.files.find((file) => !file.regular);
  if (foreign) return { stays: 'foreign', detail: `${foreign.name} is not a file that Spillway wrote` };
  if (capture.record === null && rules.ids === null && !isFromSandbox)
    return { stays: 'damaged', detail: sentence(capture.problem) };
  if (isRunning(capture, alive)) return { stays: 'running' };
  if (abandoned) return { goes: 'session' };
  if (rules.olderThanMs !== null)
    return isOlder(capture, rules.olderThanMs, now) ? { goes: 'age' } : { stays: 'recent' };
  return rules.all || rules.ids !== null ? { goes: 'asked' } : { stays: 'recent' };
}

/** 0 means all, even when the clock was set back. */
function isOlder(capture: Capture, ms: number, now: number): boolean {
  return ms === 0 || endedMs(capture) <= now - ms;
}

/**
 * Marks the oldest removable captures until the rest fits. Captures from sandboxes have half of the room where there is
 * not enough for all: their sizes are made up easily, and must not drive out the others.
 */
function shrink(judged: Judged[], maxTotalBytes: number): void {
  const fromSandboxes = judged.filter(({ capture }) => sandboxOf(capture.folder) !== null);
  const own = judged.filter(({ capture }) => sandboxOf(capture.folder) === null);
  const half = maxTotalBytes / 2;
  shrinkTo(fromSandboxes, Math.max(half, maxTotalBytes - bytesLeft(own)));
  shrinkTo(own, maxTotalBytes - Math.min(half, bytesLeft(fromSandboxes)));
}

function bytesLeft(judged: readonly Judged[]): number {
  return judged.reduce((sum, { capture, verdict }) => sum + ('stays' in verdict ? capture.bytes : 0), 0);
}

function shrinkTo(judged: readonly Judged[], maxBytes: number): void {
  let total = bytesLeft(judged);
  const oldestFirst = judged
    .filter(({ verdict }) => 'stays' in verdict && verdict.stays === 'recent')
    .map((one) => ({ one, ended: endedMs(one.capture) }))
    .sort((a, b) => a.ended - b.ended || (a.one.capture.id < b.one.capture.id ? -1 : 1));
  for (const { one } of oldestFirst) {
    if (total <= maxBytes) return;
    one.verdict = { goes: 'size' };
    total -= one.capture.bytes;
  }
}

function sentence(problem: string | null): string {
  return problem ?? "its record can't be read";
}
