/** Stats paths without following links, and packs the results for the way from a thread to another. */
import { closeSync, constants, lstatSync, openSync, Stats, statSync } from 'node:fs';
import { sep } from 'node:path';
import { pathBytes, realPathSync } from '../bytes/path-text.ts';

/** Doesn't block on a pipe that took the file's name, and follows no link. */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** `readable`: whether this process may read it, of a regular file; true for anything else. */
export type FileStats = Stats & { readonly readable: boolean };
export type StatsOrError = FileStats | NodeJS.ErrnoException;

const FIELDS = [
  ...(['dev', 'mode', 'nlink', 'uid', 'gid', 'ino', 'size'] as const),
  ...(['atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'] as const),
];
const WIDTH = FIELDS.length + 1;

/** `FIELDS` and `readable` of each path, or the code of its error. */
export interface PackedStats {
  readonly numbers: Float64Array;
  readonly codes: readonly (string | null)[];
}

/** Stands for a missing path. */
export const MISSING: NodeJS.ErrnoException = Object.assign(new Error('missing'), { code: 'ENOENT' });

export function statAll(paths: readonly string[]): PackedStats {
  const numbers = new Float64Array(paths.length * WIDTH);
  const codes = paths.map((path, index) => {
    try {
      const { file } = splitAtArchive(path);
      const stats = lstatSync(pathBytes(file), { throwIfNoEntry: false });
      if (!stats) return 'ENOENT';
      pack(numbers, index, stats, !stats.isFile() || mayBeRead(file, stats));
      return null;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'EIO';
    }
  });
  return { numbers, codes };
}

/** Packs stats that are known: of a file that is open, or of what a link leads to. */
export function packed(stats: Stats, readable = true): PackedStats {
  const numbers = new Float64Array(WIDTH);
  pack(numbers, 0, stats, readable);
  return { numbers, codes: [null] };
}

export function statsIn({ numbers, codes }: PackedStats): StatsOrError[] {
  return codes.map((code, index) => {
    if (code === 'ENOENT') return MISSING;
    if (code !== null) return Object.assign(new Error(code), { code });
    const stats: Record<string, unknown> = Object.create(Stats.prototype);
    for (const [at, name] of FIELDS.entries()) stats[name] = numbers[index * WIDTH + at];
    stats.readable = numbers[index * WIDTH + FIELDS.length] === 1;
    return stats as unknown as FileStats;
  });
}

/** Returns the stats of the only path. */
export function statsOf(packed: PackedStats): FileStats {
  return statsIn(packed)[0] as FileStats;
}

function pack(numbers: Float64Array, index: number, stats: Stats, readable: boolean): void {
  for (const [at, name] of FIELDS.entries()) numbers[index * WIDTH + at] = stats[name];
  numbers[index * WIDTH + FIELDS.length] = readable ? 1 : 0;
}

/**
 * Returns whether we may read the file. Opens it only if its mode does not tell, as access lists exist. Errors other
 * than a refusal count as readable: the reader reports them in more detail.
 */
function mayBeRead(path: string, { mode, uid }: Stats): boolean {
  if ((mode & 0o444) === 0o444 || (uid === process.getuid?.() && (mode & 0o400) !== 0)) return true;
  try {
    closeSync(openSync(pathBytes(path), READ_FLAGS));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'EACCES' && code !== 'EPERM';
  }
}

// A path may lead into an archive, as into a folder: `run.zip/build`. Stats of a member are those of the archive.

const ARCHIVE = /\.(?:zip|jar|tar|tar\.\w+|tgz|txz|tbz2?|tzst)$/i;
const BELOW_ARCHIVE = new RegExp(`${ARCHIVE.source.slice(0, -1)}[/\\\\]`, 'i');

/** Returns the file to open for a path, and the member that is meant; null for none. */
export function splitAtArchive(path: string): { file: string; member: string | null } {
  if (BELOW_ARCHIVE.test(path)) {
    const names = path.split(sep);
    for (let i = 1; i < names.length; i++) {
      const file = names.slice(0, i).join(sep);
      const isArchive = ARCHIVE.test(file) && statSync(pathBytes(file), { throwIfNoEntry: false })?.isFile();
      if (isArchive) return { file, member: names.slice(i).join('/') };
    }
  }
  return { file: path, member: null };
}

/** Resolves links, of a path into an archive those to the archive. */
export function realPlace(path: string): string {
  const { file, member } = splitAtArchive(path);
  const real = realPathSync(file);
  return member === null ? real : [real, ...member.split('/')].join(sep);
}
