/**
 * One source's folders and files as they were last seen. Whatever is heard of (a watch's hint, a round over all of it) only
 * names paths; what is true is what `lstat` says then, and all of that happens in order, one thing after the other:
 *
 *     hint ──> dirty names ──50 ms──┐
 *     round ──> readdir ────────────┴─> lstat ─> folder still at its real path? ─> taken in: see, lose, go down
 */
import { type Dirent, realpath as realpathCallback, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { childBelongs, type Source } from '../sources/source.ts';
import { type Folder, folderAt, identityOf } from './folder.ts';
import { Hints } from './hints.ts';
import { isRefused, isVague, type Look, MISSING, statMany } from './look.ts';

const realpath = promisify(realpathCallback.native);

/** Looked at before their folder is checked once more: bounds what a folder of a million files holds in memory. */
const BATCH = 2000;
/** Until a directory that is gone is looked for again. Milliseconds. */
const AGAIN_MS = 500;

export interface TreeOwner {
  readonly home: string;
  readonly watch: boolean;
  see(path: string, stats: Stats, tree: Tree): void;
  lose(path: string, tree: Tree): void;
  /** What stands in the way at a path, in a sentence; null when nothing does any more. */
  problem(path: string, sentence: string | null): void;
}

export class Tree {
  readonly source: Source;
  readonly #owner: TreeOwner;
  /** The source's directory, while there is one; of a single file, the folder that it is in. */
  #root: Folder | null = null;
  readonly #hints: Hints;
  #rootIsDoubted = false;
  /** Files that others saw and this has not: they may be gone before it looks. */
  readonly #glimpsed = new Set<string>();
  #again: NodeJS.Timeout | null = null;
  /** At paths, so far. */
  #looks = 0;
  #work: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(source: Source, owner: TreeOwner) {
    this.source = source;
    this.#owner = owner;
    this.#hints = new Hints({
      source,
      // It says nothing of its own failure: the next round tries again.
      heard: (isFlood) => {
        this.#rootIsDoubted ||= isFlood && this.source.isDirectory;
        void this.#inOrder(() => this.#lookAtHeard()).catch(() => {});
      },
      problem: (sentence) => owner.problem(`watching ${source.path}`, sentence),
    });
  }

  /** Some of it is not watched: only rounds tell of changes there. */
  get isBlind(): boolean {
    return this.#hints.areMissing;
  }

  /** Looks at everything there is. Resolves when it has been taken in, with how many looks that took. */
  async round(): Promise<number> {
    const before = this.#looks;
    await this.#inOrder(async () => {
      const { path, isDirectory } = this.source;
      if (isDirectory) await this.#lookAtRoot();
      else await this.#lookAtFile(path);
      await this.#lookAtGlimpsed();
    });
    return this.#looks - before;
  }

  /** A file is listed that was seen by somebody else: what becomes of it is found out, too. */
  glimpse(path: string): void {
    this.#glimpsed.add(path);
    void this.#inOrder(() => this.#lookAtGlimpsed()).catch(() => {});
  }

  close(): void {
    this.#closed = true;
    if (this.#again) clearTimeout(this.#again);
    this.#hints.close();
    if (this.#root) this.#unwatch(this.#root);
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const next = this.#work.then(async () => {
      if (!this.#closed) await work();
    });
    // One that failed keeps nothing from going on.
    this.#work = next.catch(() => {});
    return next;
  }

  async #lookAtFile(path: string): Promise<void> {
    const [look] = await this.#look([path]);
    const isHere = await isAt(path);
    if (this.#closed || !look) return;
    if (isHere && !(look instanceof Error) && look.isFile()) this.#see(path, look);
    else if (isHere !== null && !isVague(look)) this.#owner.lose(path, this);
    if (!this.#owner.watch) return;
    this.#root ??= folderAt(dirname(path), '', null);
    this.#hints.watch(this.#root);
  }

  async #lookAtRoot(): Promise<void> {
    const { path } = this.source;
    const [look] = await this.#look([path]);
    const isHere = await isAt(path);
    if (this.#closed || !look || isVague(look) || isHere === null) return;
    const stats = isHere && !(look instanceof Error) && look.isDirectory() ? look : null;
    if (this.#root && (!stats || this.#root.identity !== identityOf(stats))) {
      this.#drop(this.#root);
      this.#root = null;
    }
    if (!stats) {
      this.#owner.problem(
        path,
        `${path} is gone: what is put there is shown as soon as it is a folder again`,
      );
      this.#lookAgain();
      return;
    }
    this.#rootIsDoubted = false;
    this.#root ??= folderAt(path, identityOf(stats), null);
    const folders = [this.#root];
    for (let folder = folders.pop(); folder && !this.#closed; folder = folders.pop()) {
      // What was heard of in the meantime does not wait for all of a large source.
      await this.#lookAtHints();
      folders.push(...(await this.#read(folder, true)));
    }
  }

  /** Nothing tells when the source's own directory is there, or may be read, again; the next round may be long from now. */
  #lookAgain(): void {
    if (!this.#owner.watch || this.#closed) return;
    this.#again ??= setTimeout(() => {
      this.#again = null;
      void this.#inOrder(() => this.#lookAtRoot()).catch(() => {});
    }, AGAIN_MS).unref();
  }

  async #lookAtHeard(): Promise<void> {
    await this.#lookAtHints();
    if (this.#rootIsDoubted) await this.#lookAtRoot();
    await this.#lookAtGlimpsed();
  }

  async #lookAtGlimpsed(): Promise<void> {
    if (this.#glimpsed.size === 0) return;
    const paths = [...this.#glimpsed];
    const looks = await this.#look(paths);
    if (this.#closed) return;
    for (const [index, path] of paths.entries()) {
      const look = looks[index]!;
      if (!(look instanceof Error) || isVague(look)) continue;
      this.#glimpsed.delete(path);
      this.#owner.lose(path, this);
    }
  }

  #see(path: string, stats: Stats): void {
    this.#glimpsed.delete(path);
    this.#owner.see(path, stats, this);
  }

  /** Gives the folders to go on with: those that are new; with `deep` all. */
  async #read(folder: Folder, deep: boolean): Promise<Folder[]> {
    if (folder.isDropped) return [];
    // First the watch, then the look: what comes in between is told by one of them.
    if (this.#owner.watch) this.#hints.watch(folder);
    const entries = await readdir(folder.path, { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    if (this.#closed || folder.isDropped) return [];
    if (entries instanceof Error) {
      this.#notRead(folder, entries);
      return [];
    }
    folder.isRefused = false;
    const names = new Set([...folder.files, ...folder.folders.keys()]);
    for (const entry of entries) if (this.#mayBelong(folder, entry)) names.add(entry.name);
    const found = await this.#lookAtNames(folder, [...names]);
    if (!folder.isRefused) this.#owner.problem(folder.path, null);
    return deep ? [...folder.folders.values()] : found;
  }

  #look(paths: readonly string[]): Promise<Look[]> {
    this.#looks += paths.length;
    return statMany(paths);
  }

  #mayBelong(folder: Folder, entry: Dirent): boolean {
    // Some file systems do not say what an entry is.
    if (!entry.isFile() && !entry.isDirectory() && !KINDS.some((kind) => entry[kind]())) return true;
    return childBelongs(entry.name, folder.prefix + entry.name, folder.depth, this.#owner.home, entry);
  }

  #notRead(folder: Folder, error: NodeJS.ErrnoException): void {
    if (isVague(error)) return;
    this.#clear(folder);
    if (isRefused(error)) {
      this.#owner.problem(folder.path, `${folder.path} may not be read: change its permissions`);
      if (folder === this.#root) this.#lookAgain();
    }
  }

  /** What is at these names in the folder now. Gives the folders that are new. */
  async #lookAtNames(folder: Folder, names: readonly string[]): Promise<Folder[]> {
    const found: Folder[] = [];
    for (let start = 0; start < names.length; start += BATCH) {
      const some = names.slice(start, start + BATCH);
      const looks = await this.#look(some.map((name) => folder.prefix + name));
      // Behind a link that took the folder's place, or a folder's above it, is something else.
      const isHere = await isAt(folder.path);
      if (this.#closed || folder.isDropped || isHere === null) return [];
      for (const [index, name] of some.entries()) {
        const fresh = this.#take(folder, name, isHere ? looks[index]! : MISSING);
        if (fresh) found.push(fresh);
      }
    }
    return found;
  }

  /** Takes in what a name is now; a folder that is new, or another, is given back to be read. */
  #take(folder: Folder, name: string, look: Look): Folder | null {
    if (isVague(look)) return null;
    const path = folder.prefix + name;
    const isOurs = !(look instanceof Error) && childBelongs(name, path, folder.depth, this.#owner.home, look);
    const stats = isOurs ? look : null;
    if (look instanceof Error && isRefused(look)) {
      folder.isRefused = true;
      this.#owner.problem(
        folder.path,
        `what is in ${folder.path} may not be looked at: change its permissions`,
      );
    }
    if (!stats?.isFile() && folder.files.delete(name)) this.#owner.lose(path, this);
    const before = folder.folders.get(name);
    const isSame = before && stats?.isDirectory() && before.identity === identityOf(stats);
    if (before && !isSame) {
      this.#drop(before);
      folder.folders.delete(name);
    }
    if (stats?.isFile()) {
      folder.files.add(name);
      this.#see(path, stats);
    }
    if (!stats?.isDirectory() || isSame) return null;
    const fresh = folderAt(path, identityOf(stats), folder);
    folder.folders.set(name, fresh);
    return fresh;
  }

  /** Forgets a folder and all that is in it. */
  #drop(folder: Folder): void {
    folder.isDropped = true;
    this.#hints.unwatch(folder);
    this.#clear(folder);
    this.#owner.problem(folder.path, null);
  }

  #unwatch(folder: Folder): void {
    this.#hints.unwatch(folder);
    for (const inner of folder.folders.values()) this.#unwatch(inner);
  }

  #clear(folder: Folder): void {
    for (const name of folder.files) this.#owner.lose(folder.prefix + name, this);
    folder.files.clear();
    for (const inner of folder.folders.values()) this.#drop(inner);
    folder.folders.clear();
  }

  /** What was heard of, also while it is being looked at. */
  async #lookAtHints(): Promise<void> {
    for (let hint = this.#hints.take(); hint && !this.#closed; hint = this.#hints.take()) {
      const { folder, names, isItself } = hint;
      if (!this.source.isDirectory) await this.#lookAtFile(this.source.path);
      else if (!isItself) await this.#lookInto(folder, names);
      else if (folder.parent) await this.#lookInto(folder.parent, [basename(folder.path)], folder);
      else if (folder === this.#root) this.#rootIsDoubted = true;
    }
  }

  /** `doubted`: may have been deleted and made again, and is read anew in any case. */
  async #lookInto(folder: Folder, names: readonly string[], doubted?: Folder): Promise<void> {
    if (folder.isDropped || doubted?.isDropped) return;
    if (doubted) doubted.identity = '';
    const fresh = await this.#lookAtNames(folder, names);
    for (let next = fresh.pop(); next && !this.#closed; next = fresh.pop()) {
      fresh.push(...(await this.#read(next, false)));
    }
  }
}

/** Of an entry whose kind some file systems do not say, none of it. */
const KINDS = ['isSymbolicLink', 'isFIFO', 'isSocket', 'isCharacterDevice', 'isBlockDevice'] as const;

/** Whether a path leads there without links; null when that can't be told. */
function isAt(path: string): Promise<boolean | null> {
  return realpath(path).then(
    (real) => real === path,
    (error: NodeJS.ErrnoException) => (isVague(error) ? null : false),
  );
}
