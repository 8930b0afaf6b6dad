/** Watches the growth of captures and the free space. Warns windows at once, and agents with their next reply. */
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { agentName } from '../../shared/agent-names.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { bytesToLeaveFree } from '../../shared/limits.ts';
import { clipText } from '../../shared/text/clip.ts';
import { formatBytes } from '../../shared/text/format.ts';
import type { Listed } from '../library/files/known-file.ts';
import type { Library } from '../library/library.ts';
import { isAlive, Owner, thisProcess } from '../store/format/owner.ts';
import { entryNames } from '../store/format/places.ts';
import { readOwn, replaceFile } from '../store/format/small-file.ts';
import { loopIn, type Opener } from '../store/openers.ts';
import type { Space } from '../workers/disk.ts';
import { readableByAgents } from './documents/targets/path-of-target.ts';

interface GuardOptions {
  home: string;
  library: Library;
  limits(): GrowthLimits & { minFreeBytes: number | null };
  /** Shows a message in the windows. */
  say(text: string): void;
  /** Called when the guard stops following a file. */
  stopped(path: string): void;
}

export class Guard {
  readonly #options: GuardOptions;
  readonly #warnings: Warnings;
  readonly #growth: GrowthGuard;
  readonly #space: SpaceWatch;
  readonly #stop: () => void;

  constructor(options: GuardOptions) {
    const { home, library, limits, stopped } = options;
    this.#options = options;
    this.#warnings = new Warnings(home);
    this.#growth = new GrowthGuard({
      limits,
      warn: (about, artifact, what) => this.#warnGrowth(about, artifact, what),
      openers: (path) => library.disk.openers(path).catch(() => []),
      stop: (path, reason) => {
        library.stopFollowing(path, `This file ${reason}`);
        stopped(path);
      },
    });
    this.#space = new SpaceWatch({
      folders: () => this.#folders(),
      space: (path) => library.disk.space(path),
      minFreeBytes: () => limits().minFreeBytes,
      warn: (about, text, textForAgents) => this.#warn(about, text, textForAgents),
    });
    this.#stop = library.catalogue.watchListed(this.#growth.take);
  }

  close(): void {
    this.#stop();
    this.#space.close();
    this.#warnings.close();
  }

  *#folders(): Iterable<WatchedFolder> {
    const { home, library } = this.#options;
    yield { path: home, bytes: 0, title: 'Spillway', isReadable: true };
    for (const { path, kind, readableOverMcp: isReadable } of library.sources)
      if (kind.agent !== undefined) {
        const [bytes, { title }] = [this.#growth.bytesOf(kind.agent), agentName(kind.agent)];
        yield { path, bytes, title, isReadable };
      }
  }

  #warnGrowth(about: string, artifact: Artifact | null, what: string): void {
    if (artifact === null) {
      const text = `Captures of ${agentName(about).title} ${what}`;
      this.#warn(about, text, text);
      return;
    }
    const isReadable = readableByAgents(this.#options.library)(artifact);
    this.#warn(about, `${aboutFile(artifact, true)} ${what}`, `${aboutFile(artifact, isReadable)} ${what}`);
  }

  #warn(about: string, text: string, textForAgents: string): void {
    if (this.#warnings.note({ about, at: Date.now(), text: textForAgents })) this.#options.say(text);
  }
}

const CHECK_MS = 30_000;
/** Warn below this multiple of `minFreeBytes`, and again only after CALM_FACTOR times it was free. */
const LOW_FACTOR = 2;
const CALM_FACTOR = 3;
/** Captures in memory this large take memory from programs. */
const MEMORY_WARN_BYTES = 256 * 1024 * 1024;

// Warns when the space on a disk with captures runs low, and when captures take much of a file system in memory.

interface WatchedFolder {
  path: string;
  /** Size of the captures in it. */
  bytes: number;
  /** The owner of the captures. */
  title: string;
  /** Whether agents may know the path. */
  isReadable: boolean;
}

interface SpaceWatchOptions {
  folders(): Iterable<WatchedFolder>;
  /** Null: 1 GiB or 5 % of the disk, the smaller. */
  minFreeBytes(): number | null;
  warn(about: string, text: string, textForAgents: string): void;
  space(path: string): Promise<Space | null>;
}

export class SpaceWatch {
  readonly #options: SpaceWatchOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #low = new Set<string>();
  /** By folder: the size below which not to warn about memory again. */
  readonly #quiet = new Map<string, number>();

  constructor(options: SpaceWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.check(), CHECK_MS).unref();
  }

  /** Resolves when every folder was checked. */
  async check(): Promise<void> {
    const { folders, minFreeBytes, space: spaceOf } = this.#options;
    /** Folders with equal total and free space are on one disk. */
    const seen = new Set<string>();
    for (const folder of folders()) {
      const { path } = folder;
      const space = await spaceOf(path);
      if (space === null || space.totalBytes === 0) continue;
      const disk = `${space.totalBytes} ${space.inMemory}`;
      if (!seen.has(disk)) this.#judge(folder, space, bytesToLeaveFree(space.totalBytes, minFreeBytes()));
      seen.add(disk);
      if (space.inMemory) this.#judgeMemory(folder);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #judge({ path, title, isReadable }: WatchedFolder, { freeBytes }: Space, keptFree: number): void {
    if (freeBytes > keptFree * CALM_FACTOR) this.#low.delete(path);
    if (keptFree === 0 || freeBytes > keptFree * LOW_FACTOR || this.#low.has(path)) return;
    this.#low.add(path);
    const least = formatBytes(Math.ceil(keptFree));
    const text = (place: string) =>
      `Only ${formatBytes(freeBytes)} are free on the disk of ${place}: below ${least} nothing is recorded, and commands may lose output`;
    this.#options.warn(`space ${path}`, text(path), text(isReadable ? path : `the captures of ${title}`));
  }

  #judgeMemory({ path, bytes, title, isReadable }: WatchedFolder): void {
    if (bytes < (this.#quiet.get(path) ?? MEMORY_WARN_BYTES)) return;
    this.#quiet.set(path, bytes * 2);
    const text = (place: string) =>
      `Captures of ${title} take ${formatBytes(bytes)} of memory: ${place} on a file system in memory`;
    const named = text(`${path} is`);
    this.#options.warn(`memory ${path}`, named, isReadable ? named : text('they are'));
  }
}

/** Older warnings are not passed on. */
const KEPT_MS = 10 * 60_000;
const MAX_WARNINGS = 20;
/** Two warnings about one thing within this time are one. */
const SAME_MS = 10_000;
/** Limits on what is believed of another process's file: agents get the text. */
const MAX_TEXT_CHARS = 500;
const MAX_ABOUT_CHARS = 8192;
const MAX_BOOK_BYTES = 256 * 1024;

const Warning = z.object({
  /** Subject of the warning, such as a path. */
  about: z.string().max(MAX_ABOUT_CHARS),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The warning, without the names of files that agents may not read. */
  text: z.string().max(MAX_TEXT_CHARS),
});
type Warning = z.infer<typeof Warning>;

const Book = z.object({
  version: z.literal(1),
  owner: Owner,
  warnings: z.array(Warning).max(MAX_WARNINGS),
});
const NAME = /^warnings-(\d+)\.json$/;

/**
 * Stores warnings about growing files and full disks in `run/warnings-<pid>.json`, for the processes that serve agents.
 * Only this process writes the file, and removes it at its end.
 */
export class Warnings {
  readonly #home: string;
  readonly #file: string;
  readonly #owner = thisProcess();
  #warnings: Warning[] = [];

  constructor(home: string) {
    this.#home = home;
    this.#file = join(home, 'run', `warnings-${process.pid}.json`);
  }

  /** Returns false if another process of the home has just given the warning. */
  note({ about, at, text }: Warning): boolean {
    const warning = { about: about.slice(0, MAX_ABOUT_CHARS), at, text: clipText(text, MAX_TEXT_CHARS).text };
    const isKnown = readWarnings(this.#home, warning.at - KEPT_MS).some(
      (known) => known.about === warning.about && known.pid !== process.pid,
    );
    if (isKnown) return false;
    this.#warnings = [...this.#warnings, warning].slice(-MAX_WARNINGS);
    try {
      mkdirSync(join(this.#home, 'run'), { recursive: true, mode: 0o700 });
      replaceFile(this.#file, JSON.stringify({ version: 1, owner: this.#owner, warnings: this.#warnings }));
    } catch {
      // The window already shows it.
    }
    return true;
  }

  close(): void {
    rmSync(this.#file, { force: true });
  }
}

/** Returns the warnings of all processes of the home since a time, newest last. */
export function readWarnings(home: string, afterMs: number, now = Date.now()): (Warning & { pid: number })[] {
  const run = join(home, 'run');
  const oldest = Math.max(afterMs, now - KEPT_MS);
  return entryNames(run)
    .flatMap((name) => {
      const pid = Number(NAME.exec(name)?.[1]);
      return pid > 0 ? booked(join(run, name), pid).map((warning) => ({ ...warning, pid })) : [];
    })
    .sort((a, b) => a.at - b.at)
    .filter((warning, index, all) => !all.slice(0, index).some((known) => isSame(known, warning)))
    .filter(({ at }) => at > oldest && at <= now);
}

/** Two processes may warn of one thing at the same moment. */
function isSame(known: Warning & { pid: number }, { about, at, pid }: Warning & { pid: number }): boolean {
  return known.about === about && known.pid !== pid && at - known.at < SAME_MS;
}

/** Returns no warnings of a file that another process with the same id left. */
function booked(path: string, pid: number): Warning[] {
  try {
    const { owner, warnings } = Book.parse(JSON.parse(readOwn(path, MAX_BOOK_BYTES) ?? ''));
    return owner.pid === pid && isAlive(owner, () => 0) ? warnings : [];
  } catch {
    return [];
  }
}

// Warns if a watched file, or all files of a source, grow abnormally: faster than a limit, beyond a size, or after
// their command ended. Warns of a writer once, until it has rested for a minute; of a size again when it has doubled.
// Stops following a file if a process reads it and also writes to it, as it would grow for ever.

interface GrowthLimits {
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
    for (const one of changed) if (one.kind === 'file') this.#check(one);
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

  #check(one: Listed): void {
    const { artifact_id: id, sourceName: source, bytes } = one;
    const now = this.#now();
    const seen = this.#seen.get(id);
    if (!seen) {
      this.#seen.set(id, fresh(bytes, now, source));
      // It existed before it was first seen, so it did not grow.
      this.#checkSource(source, bytes, bytes, now);
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
    this.#checkSource(source, grown, own, now);
    if (grown <= 0 || (problem === null && bytes - seen.askedBytes < ASK_BYTES)) return;
    seen.askedBytes = bytes;
    void this.#ask(artifact, problem);
  }

  /** `own`: bytes that are not the growth of all files together. */
  #checkSource(name: string | null, grown: number, own: number, now: number): void {
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

/** Notes the size, and returns the growth within the last minute. After a minute without any, warns again. */
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
