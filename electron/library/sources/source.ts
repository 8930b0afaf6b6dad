/** Sources: the files and directories that are looked at. Nothing is ever written to or deleted from them. */
import type { Stats } from 'node:fs';
import { basename, isAbsolute, relative, sep } from 'node:path';
import { WATCH_DEPTH } from '../../../shared/limits.ts';

export interface Source {
  /** Real path of a directory or of a single file. */
  readonly path: string;
  readonly isDirectory: boolean;
  /** Whether agents may read it over MCP. */
  readonly readableOverMcp: boolean;
}

type Type = Pick<Stats, 'isFile' | 'isDirectory'>;

/**
 * Whether a path below a source is part of it: within the depth, not hidden, not in `node_modules`, not Spillway's
 * own home. `stats` may be absent while it is not known; links, devices and pipes are left out when it is.
 */
export function belongs(source: Source, path: string, home: string, stats?: Type): boolean {
  if (stats && !stats.isFile() && !stats.isDirectory()) return false;
  if (!source.isDirectory) return path === source.path;
  const inside = relative(source.path, path);
  if (inside === '') return true;
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return false;
  if (path === home || path.startsWith(home + sep)) return false;
  const parts = inside.split(sep);
  // Files may lie at the last depth; what is below a directory there may not.
  if (parts.length > WATCH_DEPTH + 1) return false;
  const folders = stats?.isDirectory() ? parts : parts.slice(0, -1);
  return (
    !folders.some((name) => name.startsWith('.') || name === 'node_modules') &&
    basename(path) !== 'node_modules'
  );
}

/**
 * `belongs` for what is in a directory of the source, some levels (`depth`) below its own: much cheaper, since nothing above
 * needs to be looked at again.
 */
export function childBelongs(name: string, path: string, depth: number, home: string, type: Type): boolean {
  if (name === 'node_modules' || depth > WATCH_DEPTH || path === home) return false;
  return type.isFile() || (type.isDirectory() && !name.startsWith('.'));
}
