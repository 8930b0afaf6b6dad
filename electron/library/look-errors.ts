/** What an error says of the path that was looked at. */

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
