/**
 * Warns if a watched file, or all files of a source, grow abnormally: faster than a limit, beyond a size, or after
 * their command ended. Warns of a writer once, until it has rested for a minute; of a size again when it has doubled.
 * Stops following a file if a process reads it and also writes to it, as it would grow for ever.
 */
import { basename } from 'node:path';
import { agentName } from '../../shared/agent-names.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { formatBytes } from '../../shared/text/format.ts';
import type { Listed } from '../library/files/known-file.ts';
import { loopIn, type Opener } from '../store/openers.ts';

export interface GrowthLimits {
  /** Bytes a minute. */
  growthWarnBytes: number;
  /** Bytes of one file. */
  sizeWarnBytes: number;
}

interface GrowthGuardOptions {
  limits(): GrowthLimits;
  /** `about`: the file or source; `artifact`: null for a source. `what`: the sentence without its beginning. */
  warn(about: string, artifact: Artifact | null, what: string): void;
  /** Returns the processes that have a file open. */
  openers(path: string): Promise<readonly Opener[]>;
  /** Stops following a file, for a reason. */
  stop(path: string, reason: string): void;
  now?: () => number;
}

interface Seen {
  bytes: number;
  /** Sizes that were seen within the last minute, the oldest first. */
  points: { at: number; bytes: number }[];
  /** Its growth was warned of. */
  isWarned: boolean;
  /** Don't warn of its size below this. */
  quietBytes: number;
  /** File size at the last check of which processes have it open. */
  askedBytes: number;
  source: string | null;
}

const MINUTE_MS = 60_000;
/** Time between two sizes that are remembered. */
const POINT_MS = 2000;
/** Growth after the writer's end that causes a warning. */
const ORPHAN_WARN_BYTES = 16 * 1024 * 1024;
/**
 * Growth between two checks of which processes have the file open: seconds, for a command that reads its own output.
 */
const ASK_BYTES = 8 * 1024 * 1024;

export class GrowthGuard {
  readonly #options: GrowthGuardOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #sources = new Map<string, Seen>();
  readonly #now: () => number;

  constructor(options: GrowthGuardOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  readonly take = (changed: readonly Listed[], removed: readonly string[]): void => {
    for (const id of removed) this.#forget(id);
    for (const one of changed) if (one.kind === 'file') this.#look(one);
  };

  /** Bytes of a source's files. */
  bytesOf(source: string): number {
    return this.#sources.get(source)?.bytes ?? 0;
  }

  #forget(id: string): void {
    const seen = this.#seen.get(id);
    const source = seen?.source == null ? undefined : this.#sources.get(seen.source);
    this.#seen.delete(id);
    if (!seen || !source) return;
    source.bytes -= seen.bytes;
    for (const point of source.points) point.bytes -= seen.bytes;
  }

  #look(one: Listed): void {
    const { artifact_id: id, sourceName: source, bytes } = one;
    const now = this.#now();
    const seen = this.#seen.get(id);
    if (!seen) {
      this.#seen.set(id, fresh(bytes, now, source));
      // It existed before it was first seen, so it did not grow.
      this.#lookAtSource(source, bytes, bytes, now);
      return;
    }
    const grown = bytes - seen.bytes;
    seen.bytes = bytes;
    const before = seen.isWarned;
    const lately = lastMinute(seen, now);
    const { artifact } = one;
    const problem = grown > 0 ? this.#problem(artifact, seen, lately) : null;
    // Growth that a warning of this file told is not counted again for all files.
    const own = seen.isWarned ? (before ? grown : lately.bytes) : 0;
    this.#lookAtSource(source, grown, own, now);
    if (grown <= 0 || (problem === null && bytes - seen.askedBytes < ASK_BYTES)) return;
    seen.askedBytes = bytes;
    void this.#ask(artifact, problem);
  }

  /** `own`: bytes that are not the growth of all files together. */
  #lookAtSource(name: string | null, grown: number, own: number, now: number): void {
    if (name === null) return;
    const seen = this.#sources.get(name) ?? fresh(0, now, null);
    this.#sources.set(name, seen);
    seen.bytes += grown;
    for (const point of seen.points) point.bytes += own;
    const { growthWarnBytes } = this.#options.limits();
    const { bytes, ms } = lastMinute(seen, now);
    if (growthWarnBytes === 0 || bytes < growthWarnBytes || seen.isWarned) return;
    seen.isWarned = true;
    this.#options.warn(name, null, `${grewBy(bytes, ms)}, all files together`);
  }

  #problem({ status, agent }: Artifact, seen: Seen, { bytes: grown, ms }: Growth): string | null {
    const { growthWarnBytes, sizeWarnBytes } = this.#options.limits();
    const { bytes } = seen;
    if (sizeWarnBytes > 0 && bytes >= Math.max(sizeWarnBytes, seen.quietBytes)) {
      seen.quietBytes = bytes * 2;
      seen.isWarned = true;
      return `has ${formatBytes(bytes)} and grows`;
    }
    if (seen.isWarned) return null;
    const isFast = growthWarnBytes > 0 && grown >= growthWarnBytes;
    const isOver = agent !== null && !['running', 'finished'].includes(status);
    if (!isFast && !(isOver && grown >= ORPHAN_WARN_BYTES)) return null;
    seen.isWarned = true;
    return isFast
      ? grewBy(grown, ms)
      : `grew by ${formatBytes(grown)} after its command ended: a process that it left behind writes it`;
  }

  async #ask(artifact: Artifact, problem: string | null): Promise<void> {
    const path = artifact.streams[0]?.file_path ?? null;
    const openers = path === null ? [] : await this.#options.openers(path);
    const loop = loopIn(openers);
    if (path !== null && loop) {
      const reason = `reads itself: ${named(loop)} prints into it what it reads from it. It is no longer followed: end that process`;
      this.#options.stop(path, reason);
      this.#options.warn(path, artifact, reason);
    } else if (problem !== null) {
      this.#options.warn(path ?? artifact.artifact_id, artifact, problem + writtenBy(artifact, openers));
    }
  }
}

function fresh(bytes: number, now: number, source: string | null): Seen {
  const points = [{ at: now, bytes }];
  return { bytes, points, isWarned: false, quietBytes: 0, askedBytes: bytes, source };
}

interface Growth {
  bytes: number;
  /** The time in which it grew by these. */
  ms: number;
}

/** Returns the growth within the last minute, and remembers the size. After a minute's rest, it may be warned of again. */
function lastMinute(seen: Seen, now: number): Growth {
  const { points, bytes } = seen;
  while (points.length > 0 && points[0]!.at < now - MINUTE_MS) points.shift();
  if (points.length === 0) seen.isWarned = false;
  const last = points.at(-1);
  if (last === undefined || now - last.at >= POINT_MS || bytes < last.bytes) points.push({ at: now, bytes });
  const [first] = points;
  return { bytes: bytes - first!.bytes, ms: now - first!.at };
}

function grewBy(bytes: number, ms: number): string {
  return `grew by ${formatBytes(bytes)} in ${Math.max(1, Math.round(ms / 1000))} s`;
}

/** Names the process that writes the file: of a command's processes, the one that prints into it. */
function writtenBy({ agent }: Artifact, openers: readonly Opener[]): string {
  const writer = openers.find(({ printsInto }) => printsInto) ?? openers.find(({ writes }) => writes);
  if (writer) return `, written by ${named(writer)}`;
  return agent?.pid ? `, written by process ${agent.pid}` : '';
}

function named({ pid, name }: Pick<Opener, 'pid' | 'name'>): string {
  return name === '' ? `process ${pid}` : `process ${pid} (${name})`;
}

/** Names the file by its path if the reader may know that, else by its agent and the agent's name for it. */
export function aboutFile({ agent, streams, artifact_id, label }: Artifact, withPath: boolean): string {
  const path = streams[0]?.file_path ?? null;
  const title = agent && agentName(agent.name).title;
  if (withPath) return `${path ?? artifact_id}${title === null ? '' : ` of ${title}`}`;
  return title === null
    ? 'A watched file'
    : `A capture of ${title} (${path === null ? label : basename(path)})`;
}
