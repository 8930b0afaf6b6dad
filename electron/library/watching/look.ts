/** Looks at paths without following links, and tells what an error says about a path. */
import { lstat, type Stats } from 'node:fs';
import { pathBytes, realPath } from '../../reader/bytes/path-text.ts';

/** Requests at once: libuv has four threads, and a network share may be slow. */
const PARALLEL_LOOKS = 32;

export type Look = Stats | NodeJS.ErrnoException;

/** Resolves with the stats or the error of each path, in order. Callbacks, as 10,000 promises cost twice as much. */
export function statMany(paths: readonly string[]): Promise<Look[]> {
  if (paths.length === 0) return Promise.resolve([]);
  return new Promise((resolve) => {
    const looks: Look[] = new Array(paths.length);
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

/** Resolves with whether a path has no link in it; null when that can't be told. */
export function isRealPath(path: string): Promise<boolean | null> {
  return realPath(path).then(
    (real) => real === path,
    (error: NodeJS.ErrnoException) => (isVague(error) ? null : false),
  );
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
const REFUSED = new Set(['EACCES', 'EPERM']);

/** Stands for a path where nothing is. */
export const MISSING: NodeJS.ErrnoException = Object.assign(new Error('missing'), { code: 'ENOENT' });

export function isRefused(error: NodeJS.ErrnoException): boolean {
  return REFUSED.has(error.code ?? '');
}

/**
 * True for an error that says nothing about the path (no descriptor free, a share that does not answer): keep what is
 * known.
 */
export function isVague(look: unknown): boolean {
  if (!(look instanceof Error)) return false;
  const { code = '' } = look as NodeJS.ErrnoException;
  return !GONE.has(code) && !REFUSED.has(code);
}
