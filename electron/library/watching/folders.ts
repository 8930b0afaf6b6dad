/**
 * Reads the folders of a source and compares each with what was known: reports new, changed and lost files, and
 * returns new folders for the caller to read. The folders belong to the tree, which calls this in order.
 */

import { sep } from 'node:path';
import { type Entry, isGone, isRefused, isVague } from '../../reader/disks/entries.ts';
import { type FileStats, MISSING, type StatsOrError } from '../../reader/disks/stats.ts';
import { takeTurns } from '../../store/format/places.ts';
import { type Disk, isUnanswered, listedLaterMessage } from '../../workers/disk.ts';
import type { FolderWatch } from '../../workers/watches.ts';
import { childBelongs, type Source } from '../source.ts';

/** Names looked at before their folder is checked again: bounds the memory for a folder of a million files. */
const BATCH_NAMES = 500;

interface FoldersOwner {
  readonly source: Source;
  readonly disk: Disk;
  /** Spillway's own home, which is never part of a source. */
  readonly home: string;
  readonly isClosed: boolean;
  watch(folder: Folder): void;
  unwatch(folder: Folder): void;
  see(path: string, stats: FileStats): void;
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
  /** Paths looked at so far. */
  statCalls = 0;
  readonly #turn = takeTurns();

  constructor(owner: FoldersOwner) {
    this.#owner = owner;
  }

  /**
   * Lists a folder and looks at everything in it. Returns the folders to read next: the new ones, or all with `deep`.
   */
  async read(folder: Folder, deep: boolean): Promise<Folder[]> {
    if (folder.isDropped) return [];
    // Watch first, then look: a change in between is reported by one of them.
    this.#owner.watch(folder);
    const entries = await this.#owner.disk
      .entries(folder.path)
      .catch((error: NodeJS.ErrnoException) => error);
    if (this.#owner.isClosed || folder.isDropped) return [];
    if (entries instanceof Error) {
      this.#cannotRead(folder, entries);
      return [];
    }
    folder.isRefused = false;
    const names = new Set([...folder.files, ...folder.folders.keys()]);
    for (const entry of entries) if (this.#mayBelong(folder, entry)) names.add(entry.name);
    const added = await this.statNames(folder, [...names]);
    if (!folder.isRefused) this.#owner.problem(folder.path, null);
    return deep ? [...folder.folders.values()] : added;
  }

  /** Looks at these names in a folder. Returns the folders among them that are new. */
  async statNames(folder: Folder, names: readonly string[]): Promise<Folder[]> {
    const added: Folder[] = [];
    for (let start = 0; start < names.length; start += BATCH_NAMES) {
      const batch = names.slice(start, start + BATCH_NAMES);
      this.statCalls += batch.length;
      const { entries, isReal } = await this.#owner.disk.statInside(
        folder.path,
        batch.map((name) => folder.prefix + name),
      );
      // A link may have taken the place of the folder, or of one above it: then these looks are of something else.
      if (this.#owner.isClosed || folder.isDropped || isReal === null) return [];
      for (const [index, name] of batch.entries()) {
        const fresh = this.#update(folder, name, isReal ? entries[index]! : MISSING);
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

  #mayBelong(folder: Folder, { name, type }: Entry): boolean {
    const { source, home } = this.#owner;
    if (type === 'unknown') return true;
    const is = { isFile: () => type === 'file', isDirectory: () => type === 'folder' };
    return childBelongs(source, folder.names, name, folder.prefix + name, home, is);
  }

  /** Whether a file of that name would belong. */
  #isFileName({ names, folders }: Folder, name: string): boolean {
    return !folders.has(name) && this.#owner.source.kind.includes(names, name, false);
  }

  #cannotRead(folder: Folder, error: NodeJS.ErrnoException): void {
    if (isUnanswered(error)) this.#owner.problem(folder.path, listedLaterMessage(folder.path));
    if (isVague(error)) return;
    this.#clear(folder);
    if (!isRefused(error)) return;
    this.#owner.problem(folder.path, `no permission to read ${folder.path}: change its permissions`);
    this.#owner.refused(folder);
  }

  /** Takes in what a name is now. Returns the folder there when it is new or replaced. */
  #update(folder: Folder, name: string, entry: StatsOrError): Folder | null {
    if (isVague(entry)) return null;
    const { source, home } = this.#owner;
    const path = folder.prefix + name;
    const isOurs = !(entry instanceof Error) && childBelongs(source, folder.names, name, path, home, entry);
    const stats = isOurs ? entry : null;
    if (entry instanceof Error && isRefused(entry)) {
      folder.isRefused = true;
      this.#owner.problem(folder.path, `no permission to look into ${folder.path}: change its permissions`);
    }
    if (!stats?.isFile() && folder.files.delete(name)) this.#owner.lose(path);
    else if (entry instanceof Error && isGone(entry) && this.#isFileName(folder, name))
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

/** The last known state of a folder of a source, with the files and folders in it that belong to the source. */
export interface Folder {
  readonly path: string;
  /** Path and separator, to put before a name. */
  readonly prefix: string;
  /** Names from the source's own directory down to this folder. */
  readonly names: readonly string[];
  readonly parent: Folder | null;
  /** See `folderIdentity`. Empty: read the folder again when it is next looked at. */
  identity: string;
  watch: FolderWatch | null;
  readonly files: Set<string>;
  readonly folders: Map<string, Folder>;
  /** The system refused a look at something in it. */
  isRefused: boolean;
  /** It no longer exists, or another folder has taken its place. */
  isDropped: boolean;
}

export function folderAt(
  path: string,
  identity: string,
  parent: { folder: Folder; name: string } | null,
): Folder {
  return {
    path,
    prefix: path.endsWith(sep) ? path : path + sep,
    names: parent ? [...parent.folder.names, parent.name] : [],
    parent: parent?.folder ?? null,
    identity,
    watch: null,
    files: new Set(),
    folders: new Map(),
    isRefused: false,
    isDropped: false,
  };
}

/** Returns a text that changes when a folder is replaced (even by one with its inode) or gets other permissions. */
export function folderIdentity({ dev, ino, birthtimeMs, mode, uid, gid }: FileStats): string {
  return [dev, ino, birthtimeMs, mode, uid, gid].join();
}
