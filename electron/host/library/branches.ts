/**
 * Finds the branch that a repository was on at some time, in Git's log of its HEAD. So no recorder has to ask Git, and
 * every run has one, whoever recorded it.
 */
import { dirname, join, resolve } from 'node:path';
import type { Disk, DiskFile } from '../../workers/disk.ts';

/** Bytes of the log that are read, from its end. */
const LOG_BYTES = 256 * 1024;

type BranchDisk = Pick<Disk, 'look' | 'openReal'>;

/** Returns the branch of the repository around a folder at each time; null where it is not known. Never rejects. */
export async function branchesAt(
  folder: string,
  times: readonly (string | null)[],
  disk: BranchDisk,
): Promise<(string | null)[]> {
  try {
    const git = await gitFolder(folder, disk);
    if (git === null) return times.map(() => null);
    const [log, head] = [await endOf(join(git, 'logs', 'HEAD'), disk), await endOf(join(git, 'HEAD'), disk)];
    return times.map((time) => (time === null ? null : branchAt(log, head, Date.parse(time))));
  } catch {
    return times.map(() => null);
  }
}

/** `log`: the end of a repository's `logs/HEAD`; `head`: its `HEAD`. */
export function branchAt(log: string, head: string, time: number): string | null {
  let before: string | null = null;
  for (const [, seconds, from, to] of log.matchAll(
    / (\d+) [+-]\d{4}\tcheckout: moving from (\S+) to (\S+)$/gm,
  )) {
    if (Number(seconds) * 1000 > time) return named(before ?? from!);
    before = to!;
  }
  return before === null ? (/^ref: refs\/heads\/(\S+)/.exec(head)?.[1] ?? null) : named(before);
}

/** Null for the hash of a commit. */
const named = (branch: string): string | null => (/^[\da-f]{40}$/.test(branch) ? null : branch);

async function gitFolder(folder: string, disk: BranchDisk): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.git');
    const look = await disk.look(path);
    if (!(look instanceof Error)) {
      // A worktree has a file that names its folder.
      const link = look.isFile() ? /^gitdir: (.+)$/m.exec(await endOf(path, disk))?.[1] : undefined;
      return link === undefined ? path : resolve(at, link);
    }
    if (dirname(at) === at) return null;
  }
}

async function endOf(path: string, disk: BranchDisk): Promise<string> {
  let file: DiskFile | null = null;
  try {
    file = await disk.openReal(path);
    return Buffer.from((await file.ends(LOG_BYTES)).tail).toString('utf8');
  } catch {
    return '';
  } finally {
    file?.close();
  }
}
