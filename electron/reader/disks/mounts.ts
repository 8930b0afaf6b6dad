/**
 * Tells which disk holds a path. Asks no disk that may not answer. The root's own disk and file systems in memory count
 * as near: nothing works without them. Only Linux names its mounts in a file;
 * elsewhere every path counts as near.
 */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isWithin, pathBytes, pathText } from '../bytes/path-text.ts';

/** The kernel itself answers for these, from memory. */
const NEAR =
  /^(binfmt_misc|bpf|cgroup2?|configfs|debugfs|devpts|devtmpfs|efivarfs|fusectl|hugetlbfs|mqueue|nsfs|proc|pstore|ramfs|rootfs|securityfs|selinuxfs|sysfs|tmpfs|tracefs)$/;
/** Another machine or process answers for these, or nobody. */
const SERVED =
  /^(9p|acfs|afs|autofs|beegfs|ceph|cifs|coda|davfs|fuse(?!ctl)|glusterfs|gpfs|lustre|ncpfs|nfs|orangefs|panfs|prl_fs|smb|vboxsf|virtiofs|vmhgfs|wekafs)/;
/** The table of mounts, which takes 50 µs to read, serves the questions of one moment. */
const TABLE_MS = 5;
/** How long a path counts as leading where it led. */
const KNOWN_MS = 10_000;
/** Links followed in one path, as the system does. */
const MAX_LINKS = 40;

interface Mount {
  readonly place: string;
  readonly type: string;
}

/** A path on a disk that may not answer. */
export interface FarPath {
  readonly mount: Mount;
  /** The path on it, with links before it resolved. */
  readonly path: string;
}

let far: readonly Mount[] = [];
let readAt = Number.NEGATIVE_INFINITY;
/** Where paths led, and the mounts that this is true of: the directories of all agents are asked about every second. */
let known = { of: '', since: 0, paths: new Map<string, FarPath | null>() };

/** Returns where a path leaves the near disks; null if it does not. */
export function farPathOf(path: string): FarPath | null {
  const far = mounts();
  if (far.length === 0) return null;
  const of = far.map(({ place }) => place).join('\n');
  const now = performance.now();
  if (known.of !== of || now - known.since > KNOWN_MS) known = { of, since: now, paths: new Map() };
  let found = known.paths.get(path);
  if (found === undefined) {
    found = follow(path, far);
    known.paths.set(path, found);
  }
  return found;
}

/** Whether a descriptor is of a file on a disk that may not answer. Asks the disk nothing. Linux only. */
export function isOnFarDisk(fd: number): boolean {
  try {
    return farPathOf(readlinkSync(`/proc/self/fd/${fd}`)) !== null;
  } catch {
    return false;
  }
}

/** Whether another machine or process answers for a disk, or for one on the way to it. */
export function isServed({ path }: FarPath): boolean {
  return mounts().some(({ place, type }) => SERVED.test(type) && isWithin(path, place));
}

/** Goes down a path name by name, and through links, up to the first mount that may not answer. */
function follow(path: string, far: readonly Mount[]): FarPath | null {
  let names = resolve(path).split(sep).filter(Boolean);
  let at: string = sep;
  let links = 0;
  while (names.length > 0) {
    const next = join(at, names[0]!);
    if (far.some(({ place }) => place === next)) return innermost(far, [next, ...names.slice(1)].join(sep));
    names = names.slice(1);
    const target = linkAt(next);
    if (target === null) at = next;
    else {
      links += 1;
      if (links > MAX_LINKS) return null;
      names = [...target.split(sep).filter((name) => name !== '' && name !== '.'), ...names];
      if (isAbsolute(target)) at = sep;
    }
    while (names[0] === '..' || names[0] === '.') {
      if (names[0] === '..') at = dirname(at);
      names = names.slice(1);
    }
  }
  return null;
}

/** Whether a disk that may not answer is mounted at a real path. */
export function isMountPlace(path: string): boolean {
  return mounts().some(({ place }) => place === path);
}

/** Returns the last of the mounts on the way to a path. */
function innermost(mounts: readonly Mount[], path: string): FarPath {
  const around = mounts.filter(({ place }) => isWithin(path, place));
  return { mount: around.reduce((a, b) => (b.place.length > a.place.length ? b : a)), path };
}

function linkAt(path: string): string | null {
  try {
    if (!lstatSync(pathBytes(path)).isSymbolicLink()) return null;
    return pathText(readlinkSync(pathBytes(path), 'buffer'));
  } catch {
    return null;
  }
}

/** The mounts that may not answer. */
function mounts(): readonly Mount[] {
  const now = performance.now();
  if (now - readAt < TABLE_MS) return far;
  readAt = now;
  far = readMounts().filter(({ place, type }) => place !== sep && !NEAR.test(type));
  return far;
}

function readMounts(): Mount[] {
  let text: string;
  try {
    text = readFileSync('/proc/self/mounts', 'latin1');
  } catch {
    return [];
  }
  // The last mount at a place hides those before it.
  const byPlace = new Map<string, Mount>();
  for (const line of text.split('\n')) {
    const [, field, type] = line.split(' ');
    if (field === undefined || type === undefined) continue;
    const place = placeOf(field);
    byPlace.set(place, { place, type });
  }
  return [...byPlace.values()];
}

/** Returns the path in a field of the table; spaces, tabs, line ends and backslashes in it are written in octal. */
function placeOf(field: string): string {
  const bytes = field.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return pathText(Buffer.from(bytes, 'latin1'));
}
