/**
 * Finds a folder above the home in which every user may rename. Another user could replace the home by a link after the
 * check, and cleanup would remove files elsewhere. Node lacks `openat`, which would prevent that.
 */
import { readlinkSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import { shellWord } from '../../../shared/text/escape.ts';
import { lstatOrNull } from '../../store/format/places.ts';

/** As many links as the system follows. */
const MAX_LINKS = 40;
const STICKY = 0o1000;

/**
 * Returns an error `home` if every user can replace the path or a link on the way to it, else null. What does not
 * exist yet is as safe as the folder that it will be made in.
 */
export function writableParentProblem(path: string): SpillwayError | null {
  if (process.platform === 'win32' || !process.getuid) return null;
  for (const folder of foldersOnTheWay(path)) {
    const problem = problemIn(folder);
    if (problem) return problem;
  }
  return null;
}

interface Folder {
  path: string;
  mode: number;
}

/** Yields each folder that the system searches to resolve the path, links included. */
function* foldersOnTheWay(path: string): Generator<Folder> {
  const names = resolve(path).split(sep).slice(1);
  let links = 0;
  let at = resolve(sep);
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const stats = lstatOrNull(at);
    if (!stats) return;
    yield { path: at, mode: stats.mode };
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    const target = targetOf(next);
    if (target === null) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return;
    names.unshift(...target.split(sep).filter((part) => part !== '' && part !== '.'));
    if (target.startsWith(sep)) at = resolve(sep);
  }
}

function targetOf(path: string): string | null {
  try {
    return lstatOrNull(path)?.isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}

/** Its owner and its group are trusted. In a sticky folder, only the owners of files may rename them. */
function problemIn({ path, mode }: Folder): SpillwayError | null {
  if ((mode & STICKY) !== 0 || (mode & 0o002) === 0) return null;
  return new SpillwayError(
    'home',
    `${path}, which leads to the home, can be changed by every user (mode ${octal(mode)})`,
    `run \`chmod o-w ${shellWord(path)}\``,
  );
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}
