/** Explains why a path that a person named cannot be opened: nothing is there, a link leads nowhere, no permission. */
import { basename, dirname, join } from 'node:path';
import { SpillwayError } from '../../../../shared/errors.ts';
import { nearest, theNearest } from '../../../../shared/text/nearest.ts';
import type { Disk } from '../../../workers/disk.ts';

/** Most names that an error suggests. */
const NEAREST_NAMES = 3;

/**
 * Returns the error for a path that the system refused.
 *
 * @param given the path as it was named
 * @param knownIds all artifact ids; a shortened id looks like a name
 */
export async function missingPath(
  disk: Disk,
  path: string,
  given: string,
  refused: NodeJS.ErrnoException | SpillwayError,
  knownIds: readonly string[] = [],
): Promise<SpillwayError> {
  if (refused instanceof SpillwayError) return refused;
  const { code } = refused;
  if (code === 'EACCES') {
    return new SpillwayError(
      'no_permission',
      `no permission to read ${quote(given)}`,
      'change its permissions, or ask as its owner',
    );
  }
  const link = await linkProblem(disk, path, given, code);
  if (link) return link;
  const ids = given === basename(given) ? nearestIds(given, knownIds) : [];
  return new SpillwayError('not_found', `there is no file ${quote(given)}`, await nearestOf(disk, path, ids));
}

/** Explains a link without a target; null when nothing has that name. */
async function linkProblem(
  disk: Disk,
  path: string,
  given: string,
  code: string | undefined,
): Promise<SpillwayError | null> {
  if (code === 'ELOOP')
    return new SpillwayError(
      'not_found',
      `${quote(given)} is a link that leads back to itself`,
      'name a file',
    );
  const target = await disk.link(path).catch(() => null);
  if (target === null) return null;
  const what = `${quote(given)} is a link to ${quote(target)}, which does not exist`;
  return new SpillwayError('not_found', what, 'restore its target, or name another file');
}

/** Returns ids near a whole id, or else near the beginning of one. */
function nearestIds(given: string, ids: readonly string[]): string[] {
  const near = nearest(given, ids, NEAREST_NAMES);
  if (near.length > 0) return near;
  const beginnings = new Map(ids.map((id) => [id.slice(0, given.length), id]));
  return nearest(given, beginnings.keys(), NEAREST_NAMES).map((beginning) => beginnings.get(beginning)!);
}

async function nearestOf(disk: Disk, path: string, ids: readonly string[]): Promise<string> {
  const folder = dirname(path);
  const found = await disk.entries(folder).catch((error: NodeJS.ErrnoException) => error);
  const names = found instanceof Error ? [] : found.map(({ name }) => name);
  if (found instanceof Error && found.code === 'ENOENT' && ids.length === 0)
    return `there is no folder ${folder} either`;
  const paths = nearest(basename(path), names, NEAREST_NAMES).map((name) => join(folder, name));
  const near = [...ids, ...paths];
  return near.length > 0 ? theNearest(near) : 'check the path, or the id';
}

/** Returns a name in quotes, shortened. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
