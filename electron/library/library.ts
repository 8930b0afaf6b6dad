/** The library: the sources, and their files as artifacts in the catalogue, kept up to date while watched. */

import type { Artifact } from '../../shared/artifact.ts';
import type { SourceKind } from '../agents/agent.ts';
import type { UserFolders } from '../agents/facts/described.ts';
import { isWithin } from '../reader/bytes/path-text.ts';
import type { FileStats } from '../reader/disks/stats.ts';
import { Disk } from '../workers/disk.ts';
import type { Pool } from '../workers/pool.ts';
import { Catalogue } from './catalogue.ts';
import { fileArtifact } from './files/file-artifact.ts';
import { type FileCounts, UNREADABLE, withCounts } from './files/known-file.ts';
import { type FilesListener, KnownFiles } from './files/known-files.ts';
import { belongs, type EntryType, type Source } from './source.ts';
import { FolderTree, Rounds } from './watching/tree.ts';

interface LibraryOptions {
  home: string;
  pool: Pool;
  /** Follow changes; otherwise look at each source once, when it is added. */
  watch: boolean;
  /** The folders in which agents describe their captures; absent to read none. */
  user?: UserFolders;
  /** Told what happens to agents' files. */
  listener?: FilesListener;
  /** A source, or part of one, can't be read or watched; a sentence for people. */
  onProblem?(sentence: string): void;
  /** That problem is over. */
  onProblemOver?(sentence: string): void;
}

/** How long the list waits for a source. */
const SLOW_MS = 3000;
/** Most counts kept for files in no source. */
const MAX_OTHER_COUNTS = 1000;
/** Subjects of problems besides the source itself. */
const ABOUT = ['watching', 'listing', 'silence of'];

export class Library {
  readonly catalogue = new Catalogue();
  readonly disk: Disk;
  readonly #options: LibraryOptions;
  readonly #files: KnownFiles;
  readonly #trees = new Map<Source, { tree: FolderTree; begun: Promise<void> }>();
  /** Cache: each source with the sources nested in it; cleared when one is added. */
  readonly #nested = new Map<Source, Source[]>();
  readonly #rounds: Rounds;
  readonly #problems = new Map<string, string>();
  /** Sources that are being listed for the first time. */
  readonly #listing = new Set<Promise<void>>();
  /** Lists the sources that were put off. */
  #begin: () => void = () => {};
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });
  #closed = false;
  /** By path: counts of files that were read but are in no source. */
  readonly #otherCounts = new Map<string, FileCounts>();

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.disk = new Disk(options.pool);
    this.#rounds = new Rounds(this.disk);
    this.#files = new KnownFiles(this.catalogue, this.disk, options.user, options.listener);
  }

  get sources(): Source[] {
    return [...this.#trees.keys()];
  }

  /** Sentences: what can't be read or watched now. */
  get problems(): string[] {
    return [...this.#problems.values()];
  }

  pathOf(id: string): string | null {
    return this.catalogue.get(id)?.streams[0]?.file_path ?? null;
  }

  /** The id of the file at a path; undefined when it is in no source. */
  idAt(path: string): string | undefined {
    return this.#files.idAt(path);
  }

  /** The innermost source that a file belongs to: that one decides whether agents may read it. */
  sourceOf(realPath: string, stats: FileStats): Source | undefined {
    return innermost(this.sources, realPath, this.#options.home, stats);
  }

  /** Whether a path, of a file that may be gone, lies in a source that agents may read. */
  mayAgentsKnow(path: string): boolean {
    const around = this.sources.filter((source) => isWithin(path, source.path));
    const inner = around.reduce<Source | undefined>((a, b) => (a && isInner(a, b) ? a : b), undefined);
    return inner?.readableOverMcp === true;
  }

  /** The innermost other source that holds the path of a source. */
  sourceAround(path: string, stats: EntryType): Source | undefined {
    const others = this.sources.filter((source) => source.path !== path);
    return innermost(others, path, this.#options.home, stats);
  }

  /** Lists the sources that were put off. */
  begin(): void {
    this.#begin();
  }

  /**
   * Adds a source. Resolves when everything in it now is in the catalogue.
   *
   * @param isPutOff list it after `begin`
   */
  async addSource(source: Source, isPutOff = false): Promise<void> {
    if (this.#closed) return;
    for (const [known, { begun }] of this.#trees) if (isSameSource(known, source)) return begun;
    const { home, watch } = this.#options;
    const tree: FolderTree = new FolderTree(source, {
      ...{ home, watch, disk: this.disk },
      see: (path, stats) => this.#see(source, tree, path, stats),
      lose: (path) => this.#files.lose(path, tree),
      vanished: (path) => source.kind.agent && this.#options.listener?.vanished(path, source.kind),
      // An agent's directory comes and goes with the agent.
      problem: (path, sentence) => source.kind.agent === undefined && this.#problem(path, sentence),
      silent: (sentence) => this.report(`silence of ${source.path}`, sentence),
    });
    const begin = () => this.#rounds.begin(tree, watch);
    const begun = this.#files.after(isPutOff ? this.#begun.then(begin) : begin());
    this.#trees.set(source, { tree, begun });
    this.#nested.clear();
    this.#waitFor(source, begun);
    return begun;
  }

  get isListing(): boolean {
    return this.#listing.size > 0;
  }

  /**
   * Resolves when every source added so far is listed, except slow ones; with true if it had to wait.
   */
  async listed(): Promise<boolean> {
    this.begin();
    const listing = [...this.#listing];
    await Promise.all(listing);
    return listing.length > 0;
  }

  /** Stops watching a source; its files leave the list unless another source holds them. */
  removeSource(source: Source): void {
    const own = this.#trees.get(source);
    if (!own) return;
    this.#trees.delete(source);
    this.#nested.clear();
    this.#rounds.end(own.tree);
    for (const about of [source.path, ...ABOUT.map((what) => `${what} ${source.path}`)])
      this.#problem(about, null);
    const shared = this.#files.loseAll(own.tree, source);
    own.tree.forget();
    for (const path of shared) void this.#seeAgain(path).catch(() => {});
  }

  /** Shows no further growth of a file, and a warning that says why. */
  stopFollowing(path: string, reason: string): void {
    this.#files.stopFollowing(path, reason);
  }

  /** Resolves when the agents' descriptions of the files found so far were read, or after `ms`. */
  settled(ms: number): Promise<void> {
    return this.#files.settled(ms);
  }

  /** `settled` for the files of these artifacts alone; with true if anything had to be read. */
  settledOf(artifacts: readonly Artifact[], ms: number): Promise<boolean> {
    const paths = artifacts.flatMap(({ streams }) => streams[0]?.file_path ?? []);
    return this.#files.settledOf(paths, ms);
  }

  /** The kind of source that a file is in; undefined for a file in none. */
  kindAt(path: string): SourceKind | undefined {
    return this.#files.kindAt(path);
  }

  *agentFiles(): Iterable<{ path: string; kind: SourceKind }> {
    for (const { agent, kind: type, streams } of this.catalogue.all()) {
      const path = type === 'file' && agent ? streams[0]?.file_path : null;
      const kind = path ? this.kindAt(path) : undefined;
      if (path && kind) yield { path, kind };
    }
  }

  /** Returns a file's artifact, given a fresh look at it. It need not be in a source. */
  describe(realPath: string, stats: FileStats): Artifact {
    const source = this.sourceOf(realPath, stats);
    if (source) {
      const id = this.#files.see(realPath, stats, source);
      if (!this.#files.isHeld(realPath)) this.#trees.get(source)?.tree.noteSeen(realPath);
      return this.catalogue.get(id)!;
    }
    const warnings = stats.readable ? [] : [UNREADABLE];
    return withCounts(
      fileArtifact(realPath, stats, null, { warnings }),
      this.#otherCounts.get(realPath),
      stats,
    );
  }

  /** Remembers the counts that reading a file gave, until the file changes. */
  learn(path: string, counts: FileCounts): void {
    if (this.#files.learn(path, counts)) return;
    this.#otherCounts.delete(path);
    this.#otherCounts.set(path, counts);
    if (this.#otherCounts.size > MAX_OTHER_COUNTS)
      this.#otherCounts.delete(this.#otherCounts.keys().next().value!);
  }

  close(): void {
    this.#closed = true;
    this.#rounds.close();
    this.catalogue.close();
    this.#files.close();
    for (const { tree } of this.#trees.values()) tree.close();
  }

  #waitFor(source: Source, begun: Promise<void>): void {
    const about = `listing ${source.path}`;
    let timer: NodeJS.Timeout;
    const slow = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#problem(about, `${source.path} is large or slow: its files appear as they are found`);
        resolve();
      }, SLOW_MS);
    });
    const done = begun
      .catch(() => {})
      .then(() => {
        clearTimeout(timer);
        this.#problem(about, null);
      });
    const soon = Promise.race([done, slow]).finally(() => this.#listing.delete(soon));
    this.#listing.add(soon);
  }

  /** A file that lost its source belongs to another now. */
  async #seeAgain(path: string): Promise<void> {
    const entry = await this.disk.stat(path);
    const owner = entry instanceof Error ? undefined : this.sourceOf(path, entry);
    if (!(entry instanceof Error) && owner) this.#files.see(path, entry, owner);
  }

  #see(source: Source, tree: FolderTree, path: string, stats: FileStats): void {
    // A round may be under way in a source that was removed.
    if (!this.#trees.has(source)) return;
    let nested = this.#nested.get(source);
    if (!nested) {
      nested = this.sources.filter((other) => other !== source && mayKnowMore(other, source));
      this.#nested.set(source, nested);
    }
    const others = nested.filter((other) => isWithin(path, other.path));
    const owner =
      others.length === 0 ? source : innermost([source, ...others], path, this.#options.home, stats);
    this.#files.see(path, stats, owner ?? source, tree);
  }

  /** Sets the problem of `about` to a sentence; null clears it. */
  report(about: string, sentence: string | null): void {
    this.#problem(about, sentence);
  }

  #problem(path: string, sentence: string | null): void {
    const before = this.#problems.get(path) ?? null;
    if (before === sentence) return;
    if (before !== null) this.#options.onProblemOver?.(before);
    this.#problems.delete(path);
    if (sentence === null) return;
    this.#problems.set(path, sentence);
    this.#options.onProblem?.(sentence);
  }
}

function innermost(
  sources: readonly Source[],
  realPath: string,
  home: string,
  stats: EntryType,
): Source | undefined {
  return sources
    .filter((source) => belongs(source, realPath, home, stats))
    .reduce<Source | undefined>((a, b) => (a && isInner(a, b) ? a : b), undefined);
}

/** Prefer the agent's source of two with one directory: it knows more about the files. */
function isInner(a: Source, b: Source): boolean {
  if (a.path.length !== b.path.length) return a.path.length > b.path.length;
  return a.kind.agent !== undefined || b.kind.agent === undefined;
}

/** Whether another source is asked about this one's files: it is inside, or an agent's with the same directory. */
function mayKnowMore(other: Source, { path, kind }: Source): boolean {
  return other.path === path ? kind.agent === undefined : isWithin(other.path, path);
}

function isSameSource(a: Source, b: Source): boolean {
  return a.path === b.path && (a.kind.agent ?? null) === (b.kind.agent ?? null);
}
