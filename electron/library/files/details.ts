/**
 * Reads in the background what agents' captures tell beyond their names: header and footer, files beside them,
 * transcripts. Newest first, one after the other, so that a start with thousands of files is not felt.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { pathBytes } from '../../reader/bytes/path-text.ts';
import { FactFiles } from '../sources/facts/fact-files.ts';
import type { FileDescription } from '../sources/facts/file-description.ts';
import { readEnds, UNFRAMED } from '../sources/facts/frame.ts';
import type { AgentFile, SourceKind } from '../sources/source.ts';
import type { UserFolders } from '../sources/user-folders.ts';

/** A file that grows is read again after so long. */
const AGAIN_MS = 1000;
/** A transcript may name a command after its output was written: look again so much later. */
const RETRY_MS: readonly number[] = [1000, 4000, 15_000];
/** How often a running command is looked at: that its process ended changes no file. */
const RUNNING_MS = 2000;
/** After so much work at once, others get a turn for as long. */
const TURN_MS = 8;

interface Wanted {
  file: AgentFile;
  kind: SourceKind;
  tries: number;
}

export interface DetailsOwner {
  tell(path: string, told: FileDescription): void;
}

export class FileDetails {
  readonly #owner: DetailsOwner;
  readonly #facts: FactFiles;
  readonly #wanted = new Map<string, Wanted>();
  /** Paths in the order in which they will be read, the next one last; some were read already. */
  #order: string[] = [];
  readonly #later = new Map<string, NodeJS.Timeout>();
  readonly #readAt = new Map<string, number>();
  #isWorking = false;
  /** Sources whose files are being listed, which comes first. */
  #holds = 0;
  #closed = false;

  constructor(user: UserFolders, owner: DetailsOwner) {
    this.#facts = new FactFiles(user);
    this.#owner = owner;
  }

  want(file: AgentFile, kind: SourceKind): void {
    if (!kind.frame && !kind.detail) return;
    const since = performance.now() - (this.#readAt.get(file.path) ?? Number.NEGATIVE_INFINITY);
    if (since < AGAIN_MS) this.#want({ file, kind, tries: 0 }, AGAIN_MS - since);
    else this.#now({ file, kind, tries: 0 });
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

  forget(path: string): void {
    this.#wanted.delete(path);
    this.#readAt.delete(path);
    this.#cancel(path);
  }

  close(): void {
    this.#closed = true;
    for (const path of [...this.#later.keys()]) this.#cancel(path);
    this.#wanted.clear();
  }

  /** Resolves when nothing waits to be read now, or after `ms`. */
  async settled(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while ((this.#isWorking || this.#wanted.size > 0) && performance.now() < end) await pause(1);
  }

  #want(wanted: Wanted, delayMs: number): void {
    this.#cancel(wanted.file.path);
    const timer = setTimeout(() => this.#now(wanted), delayMs).unref();
    this.#later.set(wanted.file.path, timer);
  }

  #cancel(path: string): void {
    clearTimeout(this.#later.get(path));
    this.#later.delete(path);
  }

  #now(wanted: Wanted): void {
    if (this.#closed) return;
    const { path } = wanted.file;
    this.#cancel(path);
    this.#wanted.set(path, wanted);
    this.#order.push(path);
    this.#begin();
  }

  #begin(): void {
    if (this.#isWorking || this.#holds > 0 || this.#wanted.size === 0) return;
    this.#isWorking = true;
    // Not before the files found at the same time are listed.
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    const time = (path: string) => this.#wanted.get(path)?.file.stats.mtimeMs ?? 0;
    this.#order.sort((a, b) => time(a) - time(b));
    let began = performance.now();
    for (let next = this.#newest(); next && !this.#closed; next = this.#newest()) {
      await this.#read(next);
      if (performance.now() - began < TURN_MS) continue;
      await pause(TURN_MS);
      began = performance.now();
    }
    this.#isWorking = false;
  }

  #newest(): Wanted | undefined {
    for (let path = this.#order.pop(); path !== undefined; path = this.#order.pop()) {
      const wanted = this.#wanted.get(path);
      if (!this.#wanted.delete(path)) continue;
      return wanted;
    }
    return undefined;
  }

  async #read({ file, kind, tries }: Wanted): Promise<void> {
    this.#readAt.set(file.path, performance.now());
    const framed = framedFacts(file, kind);
    if (framed === null) return;
    const told = { ...framed, ...(await kind.detail?.(file, this.#facts, framed).catch(() => ({}))) };
    if (this.#closed || !this.#readAt.has(file.path)) return;
    this.#owner.tell(file.path, told);
    const retry = RETRY_MS[tries];
    if (told.status === 'running') this.#want({ file, kind, tries }, RUNNING_MS);
    else if (told.command === undefined && kind.detail && retry !== undefined && isRecent(file))
      this.#want({ file, kind, tries: tries + 1 }, retry);
  }
}

function isRecent({ stats }: AgentFile): boolean {
  return Date.now() - stats.mtimeMs < 60_000;
}

/** Null for a file that was deleted or replaced. */
function framedFacts({ path, names }: AgentFile, kind: SourceKind): FileDescription | null {
  if (!kind.frame) return {};
  let fd: number;
  try {
    fd = openSync(
      pathBytes(path),
      constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
    );
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? UNFRAMED.facts : null;
  }
  try {
    const stats = fstatSync(fd);
    return stats.isFile() ? kind.frame(readEnds(fd, stats.size), names.at(-1) ?? '').facts : null;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}
