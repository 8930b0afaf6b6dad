/** One look at a source: every file in it, as it is now. */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { belongs, type Source } from './sources.ts';

/** Calls `found` for each file. What can't be read, or goes while it is looked at, is passed over. */
export async function scanSource(
  source: Source,
  home: string,
  found: (path: string, stats: Stats) => void,
): Promise<void> {
  const pending = [source.path];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const stats = await lstat(path).catch(() => null);
    if (!stats || !belongs(source, path, home, stats)) continue;
    if (stats.isFile()) {
      found(path, stats);
    } else if (stats.isDirectory()) {
      for (const name of await readdir(path).catch(() => [])) pending.push(join(path, name));
    }
  }
}
