/** Decides which captures go and which stay, and why. Changes nothing on disk. */
import type { RemovedReason, StayedReason } from '../../../shared/lifecycle.ts';
import type { Capture, CaptureFile, SessionFolder } from '../format/folder.ts';
import { isAlive, type Owner } from '../format/owner.ts';
import { lstatOrNull } from '../format/walk.ts';

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
  return judged;
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
  const said = Date.parse(capture.record?.ended_at ?? '');
  return Number.isNaN(said) ? lastWrittenMs(capture.files) : said;
}

/** True while the recorder named in its record is alive. */
export function isRunning({ record, files }: Capture, alive: Alive = isAlive): boolean {
  const recorder = record?.recorder ?? null;
  return recorder !== null && alive(recorder, () => lastWrittenMs(files));
}

function lastWrittenMs(files: readonly CaptureFile[]): number {
  return Math.max(0, ...files.map((file) => file.mtimeMs));
}

function verdictOn(
  capture: Capture,
  abandoned: boolean,
  rules: Rules,
  now: number,
  alive: Alive,
): Judged['verdict'] {
  if (capture.newer) return { stays: 'newer', detail: sentence(capture.problem) };
  if (capture.pinned) return { stays: 'pinned' };
  if (rules.keep.has(capture.id)) return { stays: 'kept' };
  const foreign = capture.files.find((file) => !file.regular);
  if (foreign) return { stays: 'foreign', detail: `${foreign.name} is not a file that Spillway wrote` };
  if (capture.record === null && rules.ids === null)
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

/** Marks the oldest removable captures until the rest fits. */
function shrink(judged: Judged[], maxTotalBytes: number): void {
  let total = 0;
  for (const { capture, verdict } of judged) if ('stays' in verdict) total += capture.bytes;
  const oldestFirst = judged
    .filter(({ verdict }) => 'stays' in verdict && verdict.stays === 'recent')
    .map((one) => ({ one, ended: endedMs(one.capture) }))
    .sort((a, b) => a.ended - b.ended || (a.one.capture.id < b.one.capture.id ? -1 : 1));
  for (const { one } of oldestFirst) {
    if (total <= maxTotalBytes) return;
    one.verdict = { goes: 'size' };
    total -= one.capture.bytes;
  }
}

function sentence(problem: string | null): string {
  return problem ?? "its record can't be read";
}
