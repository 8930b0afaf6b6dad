/** A folder of a source, as it was last seen: which of its names are files and folders that belong to the source. */
import type { Stats } from 'node:fs';
import { sep } from 'node:path';
import type { FolderWatch } from './folder-watch.ts';

export interface Folder {
  readonly path: string;
  /** What stands before the names of what is in it. */
  readonly prefix: string;
  /** Levels below the source's own directory. */
  readonly depth: number;
  readonly parent: Folder | null;
  /** Which folder it is (`identityOf`); empty: it is read anew when it is looked at next. */
  identity: string;
  watch: FolderWatch | null;
  readonly files: Set<string>;
  readonly folders: Map<string, Folder>;
  /** Something in it may not be looked at. */
  isRefused: boolean;
  /** It is no longer there, or another is in its place. */
  isDropped: boolean;
}

export function folderAt(path: string, identity: string, parent: Folder | null): Folder {
  return {
    path,
    prefix: path.endsWith(sep) ? path : path + sep,
    depth: parent ? parent.depth + 1 : 0,
    parent,
    identity,
    watch: null,
    files: new Set(),
    folders: new Map(),
    isRefused: false,
    isDropped: false,
  };
}

/** Differs when a folder was replaced, also by one with its inode, or has other permissions. */
export function identityOf({ dev, ino, birthtimeMs, mode, uid, gid }: Stats): string {
  return [dev, ino, birthtimeMs, mode, uid, gid].join();
}
