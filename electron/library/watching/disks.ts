/** Chooses how to look at files: in this thread for this machine's, a few at a time for those of a share. */
import { lstatSync, readdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { isLossy, pathBytes, realPathSync } from '../../reader/bytes/path-text.ts';
import { takeTurns } from '../../store/format/walk.ts';
import { type Disk, exactEntries, isVague, MISSING, type StatsOrError, threadDisk } from './look.ts';
import { farPathOf, hasMountBelow } from './mounts.ts';

/**
 * Looks at files of this machine in this thread, in slices. Requests to libuv's threads cost three times as much, and
 * each waits for a processor: on a busy machine, 1,400 folders took six seconds instead of one.
 */
const syncDisk: Disk = {
  async entries(path) {
    const bytes = pathBytes(path);
    const entries = readdirSync(bytes, { withFileTypes: true });
    if (!entries.some(({ name }) => isLossy(name))) return entries;
    return exactEntries(readdirSync(bytes, { withFileTypes: true, encoding: 'buffer' }));
  },
  async stats(paths) {
    const turn = takeTurns();
    const looks: StatsOrError[] = [];
    for (const [index, path] of paths.entries()) {
      looks.push(lookAt(path));
      if (index % LOOKS_OF_A_TURN === 0) await turn();
    }
    return looks;
  },
  async isReal(path) {
    try {
      return realPathSync(path) === path;
    } catch (error) {
      return isVague(error) ? null : false;
    }
  },
};

/** Returns the disk functions for a path that is not known yet. */
export function diskAround(path: string): Disk {
  return farPathOf(path) === null ? threadDisk : shareDisk;
}

/** Resolves with the disk functions for a folder's contents: `syncDisk` if none of it can be on another machine. */
export async function diskOf(path: string): Promise<Disk> {
  if (farPathOf(path) !== null) return shareDisk;
  const { isLocal } = await fileSystemOf(path);
  return isLocal && !hasMountBelow(path) ? syncDisk : threadDisk;
}

/** A look takes some microseconds. */
const LOOKS_OF_A_TURN = 64;

function lookAt(path: string): StatsOrError {
  try {
    return lstatSync(pathBytes(path), { throwIfNoEntry: false }) ?? MISSING;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** Threads used at once; libuv has four. */
const PARALLEL_THREADS = 2;

let under = 0;
const waiting: (() => void)[] = [];

/**
 * Looks at files of another machine, a few paths at a time: a share that stops answering then blocks only half of
 * libuv's threads.
 */
const shareDisk: Disk = {
  entries: (path) => inTurn(() => threadDisk.entries(path)),
  async stats(paths) {
    const looks = await Promise.all(paths.map((path) => inTurn(() => threadDisk.stats([path]))));
    return looks.flat() as StatsOrError[];
  },
  isReal: (path) => inTurn(() => threadDisk.isReal(path)),
};

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (under < PARALLEL_THREADS) under += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else under -= 1;
  }
}

/** They don't report what other machines change: NFS, SMB, SMB2, CIFS, AFS, Ceph, 9P, FUSE. */
const SILENT = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x5346414f, 0x00c36400, 0x01021997, 0x65735546,
]);
/** On this machine, so a look never waits for another: ext2 to ext4, XFS, Btrfs, F2FS, ZFS, overlay, tmpfs, ramfs. */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x794c7630, 0x01021994, 0x858458f6,
]);

interface FileSystem {
  /** Changes may not be reported. */
  readonly isSilent: boolean;
  readonly isLocal: boolean;
}

/** Tells from its type in statfs(2) how a file system behaves. Linux only. */
export async function fileSystemOf(path: string): Promise<FileSystem> {
  const type = process.platform === 'linux' ? await typeOf(path) : 0;
  return { isSilent: SILENT.has(type), isLocal: LOCAL.has(type) };
}

/** 0 where the system does not tell. */
function typeOf(path: string): Promise<number> {
  return statfs(pathBytes(path)).then(
    (stats) => stats.type >>> 0,
    () => 0,
  );
}
