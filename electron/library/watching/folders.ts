/**
 * Reads the folders of a source and compares each with what was known: reports new, changed and lost files, and
 * returns new folders for the caller to read. The folders belong to the tree, which calls this in order.
 */
import type { Dirent, Stats } from 'node:fs';
import { takeTurns } from '../../store/format/walk.ts';
import { childBelongs, type Source } from '../sources/source.ts';
import { type Folder, folderAt, folderIdentity } from './folder.ts';
import { type Disk, isGone, isRefused, isVague, MISSING, type StatsOrError, threadDisk } from './look.ts';

/** Names looked at before their folder is checked again: bounds the memory for a folder of a million files. */
const BATCH_NAMES = 500;

interface FoldersOwner {
  readonly source: Source;
  /** Spillway's own home, which is never part of a source. */
  readonly home: string;
  readonly isClosed: boolean;
  watch(folder: Folder): void;
  unwatch(folder: Folder): void;
  see(path: string, stats: Stats): void;
  lose(path: string): void;
  /** A file of that path was reported, and is not there. */
  vanished(path: string): void;
  /** The system refused to list the folder. */
  refused(folder: Folder): void;
  /** Reports a problem at a path as a sentence; null clears it. */
  problem(path: string, sentence: string | null): void;
}

export class Folders {
  readonly #owner: FoldersOwner;
  /** The disk functions that fit the source. */
  disk: Disk = threadDisk;
  /** Paths looked at so far. */
  looks = 0;
  readonly #turn = takeTurns();

  constructor(owner: FoldersOwner) {
    this.#owner = owner;
  }

  look(paths: readonly string[]): Promise<StatsOrError[]> {
    this.looks += paths.length;
    return this.disk.stats(paths);
  }

  /**
   * Lists a folder and looks at everything in it. Returns the folders to read next: the new ones, or all with `deep`.
   */
  async read(folder: Folder, deep: boolean): Promise<Folder[]> {
    if (folder.isDropped) return [];
    // Watch first, then look: a change in between is reported by one of them.
    this.#owner.watch(folder);
    const entries = await this.disk.entries(folder.path).catch((error: NodeJS.ErrnoException) => error);
    if (this.#owner.isClosed || folder.isDropped) return [];
    if (entries instanceof Error) {
      this.#cannotRead(folder, entries);
      return [];
    }
    folder.isRefused = false;
    const names = new Set([...folder.files, ...folder.folders.keys()]);
    for (const entry of entries) if (this.#mayBelong(folder, entry)) names.add(entry.name);
    const added = await this.lookAtNames(folder, [...names]);
    if (!folder.isRefused) this.#owner.problem(folder.path, null);
    return deep ? [...folder.folders.values()] : added;
  }

  /** Looks at these names in a folder. Returns the folders among them that are new. */
  async lookAtNames(folder: Folder, names: readonly string[]): Promise<Folder[]> {
    const added: Folder[] = [];
    for (let start = 0; start < names.length; start += BATCH_NAMES) {
      const batch = names.slice(start, start + BATCH_NAMES);
      const looks = await this.look(batch.map((name) => folder.prefix + name));
      // A link may have taken the place of the folder, or of one above it: then these looks are of something else.
      const isReal = await this.disk.isReal(folder.path);
      if (this.#owner.isClosed || folder.isDropped || isReal === null) return [];
      for (const [index, name] of batch.entries()) {
        const fresh = this.#update(folder, name, isReal ? looks[index]! : MISSING);
        if (fresh) added.push(fresh);
      }
      await this.#turn();
    }
    return added;
  }

  /** Forgets a folder and everything in it. */
  drop(folder: Folder): void {
    folder.isDropped = true;
    this.#owner.unwatch(folder);
    this.#clear(folder);
    this.#owner.problem(folder.path, null);
  }

  #mayBelong(folder: Folder, entry: Dirent): boolean {
    const { source, home } = this.#owner;
    // Some file systems don't tell the type of an entry: look at it.
    if (!entry.isFile() && !entry.isDirectory() && !OTHER_TYPES.some((is) => entry[is]())) return true;
    return childBelongs(source, folder.names, entry.name, folder.prefix + entry.name, home, entry);
  }

  /** Whether a file of that name would belong. */
  #isFileName({ names, folders }: Folder, name: string): boolean {
    return !folders.has(name) && this.#owner.source.kind.includes(names, name, false);
  }

  #cannotRead(folder: Folder, error: NodeJS.ErrnoException): void {
    if (isVague(error)) return;
    this.#clear(folder);
    if (!isRefused(error)) return;
    this.#owner.problem(folder.path, `no permission to read ${folder.path}: change its permissions`);
    this.#owner.refused(folder);
  }

  /** Takes in what a name is now. Returns the folder there when it is new or replaced. */
  #update(folder: Folder, name: string, look: StatsOrError): Folder | null {
    if (isVague(look)) return null;
    const { source, home } = this.#owner;
    const path = folder.prefix + name;
    const isOurs = !(look instanceof Error) && childBelongs(source, folder.names, name, path, home, look);
    const stats = isOurs ? look : null;
    if (look instanceof Error && isRefused(look)) {
      folder.isRefused = true;
      this.#owner.problem(folder.path, `no permission to look into ${folder.path}: change its permissions`);
    }
    if (!stats?.isFile() && folder.files.delete(name)) this.#owner.lose(path);
    else if (look instanceof Error && isGone(look) && this.#isFileName(folder, name))
      this.#owner.vanished(path);
    const before = folder.folders.get(name);
    const isSame = before && stats?.isDirectory() && before.identity === folderIdentity(stats);
    if (before && !isSame) {
      this.drop(before);
      folder.folders.delete(name);
    }
    if (stats?.isFile()) {
      folder.files.add(name);
      this.#owner.see(path, stats);
    }
    if (!stats?.isDirectory() || isSame) return null;
    const fresh = folderAt(path, folderIdentity(stats), { folder, name });
    folder.folders.set(name, fresh);
    return fresh;
  }

  #clear(folder: Folder): void {
    for (const name of folder.files) this.#owner.lose(folder.prefix + name);
    folder.files.clear();
    for (const inner of folder.folders.values()) this.drop(inner);
    folder.folders.clear();
  }
}

/** An entry of unknown type answers none of these. */
const OTHER_TYPES = ['isSymbolicLink', 'isFIFO', 'isSocket', 'isCharacterDevice', 'isBlockDevice'] as const;
