/** Looks at folders and paths without following links, and tells what an error says about a path. */
import { type Dirent, lstat, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { isLossy, pathBytes, pathText, realPath } from '../../reader/bytes/path-text.ts';

/** Requests at once: libuv has four threads, and a network share may be slow. */
const PARALLEL_LOOKS = 32;

export type StatsOrError = Stats | NodeJS.ErrnoException;

export interface Disk {
  /** Names as `pathText` writes them. Throws what the system throws. */
  entries(path: string): Promise<Dirent[]>;
  /** The stats or the error of each path, in order. */
  stats(paths: readonly string[]): Promise<StatsOrError[]>;
  /** Whether a path has no link in it; null when that can't be told. */
  isReal(path: string): Promise<boolean | null>;
}

/** Looks through libuv's threads, so this thread never waits: the path may be on another machine. */
export const threadDisk: Disk = {
  async entries(path) {
    const bytes = pathBytes(path);
    const entries = await readdir(bytes, { withFileTypes: true });
    if (!entries.some(({ name }) => isLossy(name))) return entries;
    return exactEntries(await readdir(bytes, { withFileTypes: true, encoding: 'buffer' }));
  },
  stats: statMany,
  isReal: (path) =>
    realPath(path).then(
      (real) => real === path,
      (error: NodeJS.ErrnoException) => (isVague(error) ? null : false),
    ),
};

/** Entries read as bytes, because Node's text of one may not name its file. */
export function exactEntries(entries: readonly Dirent<Buffer>[]): Dirent[] {
  return entries.map((entry) => Object.assign(entry, { name: pathText(entry.name) }) as unknown as Dirent);
}

/** Callbacks, as 10,000 promises cost twice as much. */
function statMany(paths: readonly string[]): Promise<StatsOrError[]> {
  if (paths.length === 0) return Promise.resolve([]);
  return new Promise((resolve) => {
    const looks: StatsOrError[] = new Array(paths.length);
    let next = 0;
    let done = 0;
    const begin = () => {
      const index = next;
      if (index >= paths.length) return;
      next += 1;
      lstat(pathBytes(paths[index]!), (error, stats) => {
        looks[index] = error ?? stats;
        done += 1;
        if (done === paths.length) resolve(looks);
        else begin();
      });
    };
    for (let i = 0; i < PARALLEL_LOOKS; i += 1) begin();
  });
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
const REFUSED = new Set(['EACCES', 'EPERM']);

/** Stands for a missing path. */
export const MISSING: NodeJS.ErrnoException = Object.assign(new Error('missing'), { code: 'ENOENT' });

export function isGone(error: NodeJS.ErrnoException): boolean {
  return GONE.has(error.code ?? '');
}

export function isRefused(error: NodeJS.ErrnoException): boolean {
  return REFUSED.has(error.code ?? '');
}

/**
 * True for an error that says nothing about the path (no free descriptor, a share that does not answer): keep the known
 * state.
 */
export function isVague(look: unknown): boolean {
  if (!(look instanceof Error)) return false;
  const { code = '' } = look as NodeJS.ErrnoException;
  return !GONE.has(code) && !REFUSED.has(code);
}
