/**
 * Keeps one source's folders and files up to date. Hints (from watches) and rounds (over the whole source) only name
 * paths; `lstat` decides. Looks run one after the other:
 *
 *     hint ──> names, gathered 50 ms ──┐
 *     round ──> readdir ───────────────┴─> lstat ─> is the folder still at its real path? ─> see, lose, go down
 */
import { basename, dirname } from 'node:path';
import { isVague } from '../../reader/disks/entries.ts';
import { farPathOf, isServed } from '../../reader/disks/mounts.ts';
import type { FileStats } from '../../reader/disks/stats.ts';
import { type Disk, isUnanswered, listedLaterMessage } from '../../workers/disk.ts';
import type { Source } from '../source.ts';
import { type Folder, Folders, folderAt, folderIdentity } from './folders.ts';

/** How often to look for a source's directory that is missing or unreadable. */
const RETRY_MS = 500;

interface TreeOwner {
  /** Spillway's own home, which is never part of a source. */
  readonly home: string;
  readonly disk: Disk;
  /** Follow changes. */
  readonly watch: boolean;
  see(path: string, stats: FileStats, tree: FolderTree): void;
  lose(path: string, tree: FolderTree): void;
  /** A file was made and deleted before it was looked at. */
  vanished(path: string): void;
  /** Reports a problem at a path as a sentence; null clears it. */
  problem(path: string, sentence: string | null): void;
  /** The same when the file system of the source does not answer. */
  silent(sentence: string | null): void;
}

export class FolderTree {
  readonly source: Source;
  readonly #owner: TreeOwner;
  readonly #folders: Folders;
  readonly #hints: Hints;
  /** The source's directory, while it exists; for a single file, the folder it is in. */
  #root: Folder | null = null;
  /** Look at everything after the hints: some may have been lost. */
  #rootIsDoubted = false;
  /** Files seen by others and not yet by this tree: they may be gone before it looks. */
  readonly #seenElsewhere = new Set<string>();
  #retry: NodeJS.Timeout | null = null;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(source: Source, owner: TreeOwner) {
    this.source = source;
    this.#owner = owner;
    this.#hints = new Hints({
      source,
      disk: owner.disk,
      heard: (isFlood) => {
        this.#rootIsDoubted ||= isFlood && source.kind.isDirectory;
        // A failure is not reported here: the next round tries again.
        void this.#inOrder(() => this.#checkHeard()).catch(() => {});
      },
      problem: (sentence) => owner.problem(`watching ${source.path}`, sentence),
    });
    const isClosed = () => this.#closed;
    this.#folders = new Folders({
      source,
      ...{ home: owner.home, disk: owner.disk },
      get isClosed() {
        return isClosed();
      },
      watch: (folder) => owner.watch && this.#hints.watch(folder),
      unwatch: (folder) => this.#hints.unwatch(folder),
      see: (path, stats) => this.#see(path, stats),
      lose: (path) => owner.lose(path, this),
      vanished: (path) => owner.vanished(path),
      refused: (folder) => folder === this.#root && this.#retryLater(),
      problem: (path, sentence) => owner.problem(path, sentence),
    });
  }

  /** True when some folders can't be watched: only rounds find changes there. */
  get isBlind(): boolean {
    return this.#hints.areMissing;
  }

  /** Looks at everything in the source. Resolves when that is done, with how many paths were looked at. */
  async round(): Promise<number> {
    const before = this.#folders.statCalls;
    await this.#inOrder(async () => {
      const { path, kind } = this.source;
      try {
        if (kind.isDirectory) await this.#checkRoot();
        else await this.#checkFile(path);
        await this.#statSeenElsewhere();
        this.#owner.silent(null);
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        this.#owner.silent(listedLaterMessage(path));
      }
    });
    return this.#folders.statCalls - before;
  }

  /** Takes note of a file that others have listed, so that its removal is noticed too. */
  noteSeen(path: string): void {
    this.#seenElsewhere.add(path);
    void this.#inOrder(() => this.#statSeenElsewhere()).catch(() => {});
  }

  close(): void {
    this.#closed = true;
    if (this.#retry) clearTimeout(this.#retry);
    this.#hints.close();
    if (this.#root) this.#unwatch(this.#root);
  }

  /** Closes, and loses every file. */
  forget(): void {
    this.close();
    if (this.#root && this.source.kind.isDirectory) this.#folders.drop(this.#root);
    else this.#owner.lose(this.source.path, this);
    for (const path of this.#seenElsewhere) this.#owner.lose(path, this);
  }

  /** Runs `work` after all work before it, even if that failed. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    const next = this.#work.then(async () => {
      if (!this.#closed) await work();
    });
    this.#work = next.catch(() => {});
    return next;
  }

  async #checkFile(path: string): Promise<void> {
    this.#folders.statCalls += 1;
    const { entries, isReal } = await this.#owner.disk.statInside(path, [path]);
    const entry = entries[0]!;
    if (isUnanswered(entry)) throw entry;
    if (this.#closed) return;
    if (isReal && !(entry instanceof Error) && entry.isFile()) this.#see(path, entry);
    else if (isReal !== null && !isVague(entry)) this.#owner.lose(path, this);
    if (!this.#owner.watch) return;
    this.#root ??= folderAt(dirname(path), '', null);
    this.#hints.watch(this.#root);
  }

  async #checkRoot(): Promise<void> {
    const { path } = this.source;
    const { entries, isReal } = await this.#owner.disk.statInside(path, [path]);
    const entry = entries[0]!;
    if (isUnanswered(entry)) throw entry;
    if (this.#closed || isVague(entry) || isReal === null) return;
    const stats = isReal && !(entry instanceof Error) && entry.isDirectory() ? entry : null;
    if (this.#root && (!stats || this.#root.identity !== folderIdentity(stats))) {
      this.#folders.drop(this.#root);
      this.#root = null;
    }
    if (!stats) {
      this.#owner.problem(path, `${path} no longer exists; its files reappear when it is recreated`);
      this.#retryLater();
      return;
    }
    this.#rootIsDoubted = false;
    this.#root ??= folderAt(path, folderIdentity(stats), null);
    const folders = [this.#root];
    for (let folder = folders.pop(); folder && !this.#closed; folder = folders.pop()) {
      // New hints don't wait for the rest of a large source.
      await this.#checkHints();
      folders.push(...(await this.#folders.read(folder, true)));
    }
  }

  /**
   * No watch reports when the source's own directory returns or becomes readable, and the next round may be far off.
   */
  #retryLater(): void {
    if (!this.#owner.watch || this.#closed) return;
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      void this.#inOrder(() => this.#checkRoot()).catch(() => {});
    }, RETRY_MS).unref();
  }

  async #checkHeard(): Promise<void> {
    await this.#checkHints();
    if (this.#rootIsDoubted) await this.#checkRoot();
    await this.#statSeenElsewhere();
  }

  async #statSeenElsewhere(): Promise<void> {
    if (this.#seenElsewhere.size === 0) return;
    const paths = [...this.#seenElsewhere];
    const entries = await Promise.all(
      paths.map((path) => this.#owner.disk.stat(path).catch((error: NodeJS.ErrnoException) => error)),
    );
    if (this.#closed) return;
    for (const [index, path] of paths.entries()) {
      const entry = entries[index]!;
      if (!(entry instanceof Error) || isVague(entry)) continue;
      this.#seenElsewhere.delete(path);
      this.#owner.lose(path, this);
    }
  }

  #see(path: string, stats: FileStats): void {
    this.#seenElsewhere.delete(path);
    this.#owner.see(path, stats, this);
  }

  #unwatch(folder: Folder): void {
    this.#hints.unwatch(folder);
    for (const inner of folder.folders.values()) this.#unwatch(inner);
  }

  /** Looks at all hinted paths, including those hinted at meanwhile. */
  async #checkHints(): Promise<void> {
    for (let hint = this.#hints.take(); hint && !this.#closed; hint = this.#hints.take()) {
      const { folder, names, isItself } = hint;
      if (!this.source.kind.isDirectory) await this.#checkFile(this.source.path);
      else if (!isItself) await this.#checkNames(folder, names);
      else if (folder.parent) await this.#checkNames(folder.parent, [basename(folder.path)], folder);
      else if (folder === this.#root) this.#rootIsDoubted = true;
    }
  }

  /** `doubted`: a folder that may have been deleted and recreated; it is read again in any case. */
  async #checkNames(folder: Folder, names: readonly string[], doubted?: Folder): Promise<void> {
    if (folder.isDropped || doubted?.isDropped) return;
    if (doubted) doubted.identity = '';
    const added = await this.#folders.statNames(folder, names);
    for (let next = added.pop(); next && !this.#closed; next = added.pop()) {
      added.push(...(await this.#folders.read(next, false)));
    }
  }
}

const MIN_PAUSE_MS = 500;
/** The same for agents' directories: there are many of them, and watches report what changes. */
const MIN_AGENT_PAUSE_MS = 10_000;
/** The same for shares: each look may be a message to another machine. */
const MIN_FAR_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 5 * 60_000;
/**
 * Cost of one look, measured: 75 ms of a core for 10,000. Not timed at run time, or a busy machine would pause for
 * minutes.
 */
const STAT_MS = 0.0075;
/** Pause after a round, as a multiple of its cost. Garbage collection costs as much again. */
const PAUSE_FACTOR = 1000;
/** The same where no watch reports changes: five percent of a core. */
const BLIND_PAUSE_FACTOR = 20;
/**
 * Schedules rounds: looks at a whole source. Watches lose events (a full queue, a network share, a folder replaced in
 * between), so rounds repeat: twice a second for a small source, for a large one so seldom that all rounds together
 * take far less than one percent of a core. Each source gets the same share.
 */
export class Rounds {
  readonly #disk: Disk;
  readonly #costs = new Map<FolderTree, number>();
  readonly #timers = new Map<FolderTree, NodeJS.Timeout>();
  #closed = false;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Makes the first round and resolves; with `isWatching` goes on making rounds. */
  async begin(tree: FolderTree, isWatching: boolean): Promise<void> {
    this.#costs.set(tree, 0);
    const calls = await tree.round();
    if (!this.#costs.has(tree)) return;
    this.#costs.set(tree, calls);
    if (isWatching) this.#plan(tree, await this.#isSilent(tree.source.path));
  }

  /** Makes no more rounds over a tree. */
  end(tree: FolderTree): void {
    clearTimeout(this.#timers.get(tree));
    this.#timers.delete(tree);
    this.#costs.delete(tree);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #plan(tree: FolderTree, isBlind: boolean): void {
    if (this.#closed || !this.#costs.has(tree)) return;
    const cost = (this.#costs.get(tree) ?? 0) * STAT_MS;
    const factor = isBlind || tree.isBlind ? BLIND_PAUSE_FACTOR : PAUSE_FACTOR;
    const pause = cost * this.#costs.size * factor;
    const next = async () => {
      // A failed round is repeated by the next.
      const calls = await tree.round().catch(() => 0);
      if (this.#costs.has(tree)) this.#costs.set(tree, calls);
      this.#plan(tree, isBlind);
    };
    const isAgent = tree.source.kind.agent !== undefined && !isBlind && !tree.isBlind;
    const isFar = isShare(tree.source.path);
    const least = isAgent ? MIN_AGENT_PAUSE_MS : isFar ? MIN_FAR_PAUSE_MS : MIN_PAUSE_MS;
    const timer = setTimeout(() => void next(), Math.min(MAX_PAUSE_MS, Math.max(least, pause)));
    this.#timers.set(tree, timer.unref());
  }

  async #isSilent(path: string): Promise<boolean> {
    return isShare(path) || (await this.#disk.isSilent(path));
  }
}

function isShare(path: string): boolean {
  const far = farPathOf(path);
  return far !== null && isServed(far);
}

// Gathers what the watches of a source's folders report: names in a folder about which something may have changed.

/** Hints are gathered so long: a thousand a second about one file become twenty looks. */
const GATHER_MS = 50;
/** Delay of the first hint after a pause. Short: an agent deletes the output of a short command within milliseconds. */
const FIRST_MS = 2;
/**
 * After so many hints at once the system's queue (16,384 events on Linux) may have overflowed, which it does not
 * report.
 */
const FLOOD_HINTS = 8000;

interface Hint {
  folder: Folder;
  names: string[];
  /** The folder itself may have been replaced, or have other permissions. */
  isItself: boolean;
}

interface HintsOwner {
  readonly source: Source;
  readonly disk: Disk;
  /** There are hints to take. `isFlood`: others may have been lost. */
  heard(isFlood: boolean): void;
  /** Why folders can't be watched, as a sentence; null when all can. */
  problem(sentence: string | null): void;
}

class Hints {
  readonly #owner: HintsOwner;
  readonly #names = new Map<Folder, Set<string>>();
  readonly #unwatched = new Set<Folder>();
  #timer: NodeJS.Timeout | null = null;
  #heardAt = 0;
  /** Hints since `heard` was last called. */
  #count = 0;

  constructor(owner: HintsOwner) {
    this.#owner = owner;
  }

  /** True when some folders can't be watched: changes there are found only by looking. */
  get areMissing(): boolean {
    return this.#unwatched.size > 0;
  }

  watch(folder: Folder): void {
    if (folder.watch) return;
    const failed = (error: NodeJS.ErrnoException) => {
      folder.watch = null;
      // A missing or unreadable folder is reported when it is read.
      if (folder.isDropped || !isVague(error)) return;
      this.#unwatched.add(folder);
      this.#owner.problem(watchProblem(this.#owner.source.path, error));
    };
    try {
      folder.watch = this.#owner.disk.watch(folder.path, {
        changed: (name) => this.#hear(folder, name),
        failed,
      });
      this.#settle(folder);
    } catch (error) {
      failed(error as NodeJS.ErrnoException);
    }
  }

  /** Ends the folder's watch and drops its hints. */
  unwatch(folder: Folder): void {
    folder.watch?.close();
    folder.watch = null;
    this.#names.delete(folder);
    this.#settle(folder);
  }

  /** Takes the hints about one folder; undefined when there are none. */
  take(): Hint | undefined {
    for (const [folder, names] of this.#names) {
      this.#names.delete(folder);
      const isItself = names.delete(ITSELF);
      return { folder, names: [...names], isItself };
    }
    return undefined;
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #settle(folder: Folder): void {
    if (this.#unwatched.delete(folder) && !this.areMissing) this.#owner.problem(null);
  }

  #hear(folder: Folder, name: string | null): void {
    const { source } = this.#owner;
    const isOwnName = name === basename(folder.path);
    if (!source.kind.isDirectory && name !== null && name !== basename(source.path)) {
      // The folder of a single file may be gone: the next look at the file watches the one that is there then.
      if (isOwnName) this.unwatch(folder);
      return;
    }
    // In a temporary folder most names are others'.
    if (name !== null && !isOwnName && !this.#mayBelong(folder, name)) return;
    const names = this.#names.get(folder) ?? new Set();
    this.#names.set(folder, names);
    // A folder's watch reports its removal and its permissions under the folder's own name.
    const isItself = name === null || (isOwnName && !folder.files.has(name) && !folder.folders.has(name));
    names.add(isItself ? ITSELF : name);
    this.#count += 1;
    if (this.#timer !== null) return;
    const wait = performance.now() - this.#heardAt < GATHER_MS ? GATHER_MS : FIRST_MS;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#heardAt = performance.now();
      const isFlood = this.#count >= FLOOD_HINTS;
      this.#count = 0;
      this.#owner.heard(isFlood);
    }, wait).unref();
  }

  #mayBelong(folder: Folder, name: string): boolean {
    const { kind } = this.#owner.source;
    if (!kind.isDirectory || folder.files.has(name) || folder.folders.has(name)) return true;
    return kind.includes(folder.names, name, false) || kind.includes(folder.names, name, true);
  }
}

/** No file has this name. */
const ITSELF = '';

/** Says that a folder can't be watched and what to do about it. */
function watchProblem(path: string, { code }: NodeJS.ErrnoException): string {
  const todo =
    code === 'ENOSPC'
      ? 'raise fs.inotify.max_user_watches to see them at once'
      : code === 'EMFILE' || code === 'ENFILE'
        ? 'raise the limit on open files, or fs.inotify.max_user_instances, to see them at once'
        : 'nothing needs to be done';
  return `${path} can't be watched (${code}), so changes appear a few seconds late: ${todo}`;
}
