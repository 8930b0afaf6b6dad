/** The last known state of a folder of a source, with the files and folders in it that belong to the source. */
import { sep } from 'node:path';
import type { Look } from '../../reader/disks/looks.ts';
import type { FolderWatch } from '../../workers/watches.ts';

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
export function folderIdentity({ dev, ino, birthtimeMs, mode, uid, gid }: Look): string {
  return [dev, ino, birthtimeMs, mode, uid, gid].join();
}
