/** What the process was started with. */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';

/** The person's paths, absolute, of a command line: packaged `spillway PATH…`, else `electron APP PATH…`. */
export function pathsOf(argv: readonly string[], packaged: boolean, cwd: string): string[] {
  return argv
    .slice(packaged ? 1 : 2)
    .filter((arg) => !arg.startsWith('-'))
    .map((path) => resolve(cwd, path));
}

/** What a second instance hands to the first; anything else than absolute paths is dropped. */
export function pathsHandedOver(data: unknown): string[] {
  if (typeof data !== 'object' || data === null || !('paths' in data) || !Array.isArray(data.paths))
    return [];
  return data.paths.filter((path) => typeof path === 'string' && path === resolve(path));
}

/** Chromium's own folder, which also decides who counts as the same inspector: one for each home that was named. */
export function profileFolder(userData: string, home: string | undefined): string {
  if (!home) return userData;
  const name = createHash('sha256').update(resolve(home)).digest('hex').slice(0, 12);
  return join(userData, 'homes', name);
}
