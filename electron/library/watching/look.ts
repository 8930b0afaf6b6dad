/** Looks at many paths at once without following links: callbacks, since 10,000 promises cost twice as much. */
import { lstat, type Stats } from 'node:fs';

/** Requests under way at once: libuv has four threads, and a network share may be slow. */
const WIDTH = 32;

export type Look = Stats | NodeJS.ErrnoException;

/** What is at each path, in the order of `paths`; an error where nothing can be learnt. */
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
      lstat(paths[index]!, (error, stats) => {
        looks[index] = error ?? stats;
        done += 1;
        if (done === paths.length) resolve(looks);
        else begin();
      });
    };
    for (let i = 0; i < WIDTH; i += 1) begin();
  });
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
const REFUSED = new Set(['EACCES', 'EPERM']);

/** As though nothing were there. */
export const MISSING: NodeJS.ErrnoException = Object.assign(new Error('missing'), { code: 'ENOENT' });

export function isRefused(error: NodeJS.ErrnoException): boolean {
  return REFUSED.has(error.code ?? '');
}

/** An error that says nothing of the path (no descriptor left, a share that does not answer): what is known stays. */
export function isVague(look: unknown): boolean {
  if (!(look instanceof Error)) return false;
  const { code = '' } = look as NodeJS.ErrnoException;
  return !GONE.has(code) && !REFUSED.has(code);
}
