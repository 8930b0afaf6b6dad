/** Tells from its type in statfs(2) how a file system behaves. Linux only. */
import { statfs } from 'node:fs/promises';
import { pathBytes } from '../../reader/bytes/path-text.ts';

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
