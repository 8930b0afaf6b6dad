/** Compares the absolute paths of a file and a folder. */
import { sep } from 'node:path';

/** Whether a path is the folder or below it, at any depth. `/a/bc` is not below `/a/b`. Touches no disk. */
export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder.endsWith(sep) || path[folder.length] === sep;
}
