/**
 * Reads in the background what agents' captures tell beyond their names: header and footer, files beside them,
 * transcripts. Newest first, one after the other, so that a start with thousands of files is not felt.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { SourceKind } from '../../agents/agent.ts';
import {
  type AgentFile,
  END_BYTES,
  type FileDescription,
  fileEnds,
  UNFRAMED,
  type UserFolders,
} from '../../agents/facts/described.ts';
import { FactFiles } from '../../agents/facts/fact-files.ts';
import type { Disk } from '../../workers/disk.ts';
import type { KnownFile } from './known-file.ts';

/** A file that grows is read again after so long. */
const AGAIN_MS = 1000;
/** A transcript may name a command after its output was written: look again so much later. */
const RETRY_MS: readonly number[] = [1000, 4000, 15_000];
/** How often a running command is looked at: that its process ended changes no file. */
const RUNNING_MS = 2000;
/** After so much work at once, others get a turn for as long. */
const TURN_MS = 8;

interface DetailsOwner {
  tell(file: KnownFile, reported: FileDescription): void;
}

export class FileDetails {
  readonly #owner: DetailsOwner;
  readonly #disk: Disk;
  readonly #facts: FactFiles;
  /** Files to read now, and how often they were read in vain. */
  readonly #wanted = new Map<KnownFile, number>();
  /** Files in reading order, the next one last. Some may have been read already. */
  #order: KnownFile[] = [];
  readonly #later = new Map<KnownFile, NodeJS.Timeout>();
  readonly #readAt = new Map<KnownFile, number>();
  #reading: KnownFile | null = null;
  #isWorking = false;
  /** Sources whose files are being listed, which comes first. */
  #holds = 0;
  #closed = false;

  constructor(user: UserFolders, disk: Disk, owner: DetailsOwner) {
    this.#disk = disk;
    this.#facts = new FactFiles(user, disk);
    this.#owner = owner;
  }

  want(file: KnownFile): void {
    const { frame, detail } = file.source.kind;
    if (!frame && !detail) return;
    const since = performance.now() - (this.#readAt.get(file) ?? Number.NEGATIVE_INFINITY);
    if (since < AGAIN_MS) this.#want(file, 0, AGAIN_MS - since);
    else this.#now(file, 0);
  }

  /** Waits with reading until `work` is done. */
  async after<T>(work: Promise<T>): Promise<T> {
    this.#holds += 1;
    try {
      return await work;
    } finally {
      this.#holds -= 1;
      this.#begin();
    }
  }

  forget(file: KnownFile): void {
    this.#wanted.delete(file);
    this.#readAt.delete(file);
    this.#cancel(file);
  }

  close(): void {
    this.#closed = true;
    for (const file of [...this.#later.keys()]) this.#cancel(file);
    this.#wanted.clear();
  }

  /** Resolves when nothing waits to be read now, or after `ms`. */
  async settled(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while ((this.#isWorking || this.#wanted.size > 0) && performance.now() < end) await pause(1);
  }

  /** Reads these files before all others, for at most `ms`. Resolves with whether any had to be read. */
  async settledOf(files: readonly KnownFile[], ms: number): Promise<boolean> {
    const isOpen = (file: KnownFile) => this.#wanted.has(file) || this.#reading === file;
    const open = files.filter(isOpen);
    this.#order.push(...open.toReversed());
    const end = performance.now() + ms;
    while (open.some(isOpen) && performance.now() < end) await pause(1);
    return open.length > 0;
  }

  #want(file: KnownFile, tries: number, delayMs: number): void {
    this.#cancel(file);
    const timer = setTimeout(() => this.#now(file, tries), delayMs).unref();
    this.#later.set(file, timer);
  }

  #cancel(file: KnownFile): void {
    clearTimeout(this.#later.get(file));
    this.#later.delete(file);
  }

  #now(file: KnownFile, tries: number): void {
    if (this.#closed) return;
    this.#cancel(file);
    this.#wanted.set(file, tries);
    this.#order.push(file);
    this.#begin();
  }

  #begin(): void {
    if (this.#isWorking || this.#holds > 0 || this.#wanted.size === 0) return;
    this.#isWorking = true;
    // Not before the files found at the same time are listed.
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    this.#order.sort((a, b) => a.seen.mtimeMs - b.seen.mtimeMs);
    let began = performance.now();
    for (let next = this.#newest(); next && !this.#closed; next = this.#newest()) {
      await this.#read(next.file, next.tries);
      if (performance.now() - began < TURN_MS) continue;
      await pause(TURN_MS);
      began = performance.now();
    }
    this.#isWorking = false;
  }

  #newest(): { file: KnownFile; tries: number } | undefined {
    for (let file = this.#order.pop(); file !== undefined; file = this.#order.pop()) {
      const tries = this.#wanted.get(file);
      if (this.#wanted.delete(file) && tries !== undefined) return { file, tries };
    }
    return undefined;
  }

  async #read(known: KnownFile, tries: number): Promise<void> {
    const { file } = known;
    const { kind } = known.source;
    this.#readAt.set(known, performance.now());
    this.#reading = known;
    const framed = await framedFacts(file, kind, this.#disk);
    if (framed === null) {
      this.#reading = null;
      return;
    }
    const reported = { ...framed, ...(await kind.detail?.(file, this.#facts, framed).catch(() => ({}))) };
    this.#reading = null;
    if (this.#closed || !this.#readAt.has(known)) return;
    this.#owner.tell(known, reported);
    const retry = RETRY_MS[tries];
    if (reported.status === 'running') this.#want(known, tries, RUNNING_MS);
    else if (reported.command === undefined && kind.detail && retry !== undefined && isRecent(file))
      this.#want(known, tries + 1, retry);
  }
}

function isRecent({ stats }: AgentFile): boolean {
  return Date.now() - stats.mtimeMs < 60_000;
}

/** Null for a file that was deleted or replaced. */
async function framedFacts(
  { path, names }: AgentFile,
  kind: SourceKind,
  disk: Disk,
): Promise<FileDescription | null> {
  if (!kind.frame) return {};
  const file = await disk.open(path).catch((error: NodeJS.ErrnoException) => error);
  if (file instanceof Error) return file.code === 'EACCES' ? UNFRAMED.facts : null;
  try {
    const { size } = file.stats;
    return kind.frame(fileEnds(await file.ends(END_BYTES), size), names.at(-1) ?? '').facts;
  } catch {
    return null;
  } finally {
    file.close();
  }
}
