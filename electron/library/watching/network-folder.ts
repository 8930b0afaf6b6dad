/** Whether a directory is on a file system that does not tell of what other machines change. */
import { statfs } from 'node:fs/promises';

/** Linux's numbers (statfs(2)): NFS, SMB, SMB2, CIFS, AFS, Ceph, 9P, FUSE. */
const SILENT = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x5346414f, 0x00c36400, 0x01021997, 0x65735546,
]);

/** False where nothing is known. */
export async function isRemote(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const type = await statfs(path).then(
    (stats) => stats.type,
    () => 0,
  );
  return SILENT.has(type >>> 0);
}
