/**
 * Marks a command that a person stops, for as long as it takes to end. Its recorder, another process, sees a death by
 * SIGTERM, and that is a failure unless somebody asked for it. The process that stops the command owns the mark.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns what removes the mark. Never throws: without a mark, the command counts as failed. */
export function markStop(home: string, artifactId: string): () => void {
  const path = pathOf(home, artifactId);
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(path, '', { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => rmSync(path, { force: true });
}

export function isStopMarked(home: string, artifactId: string): boolean {
  return existsSync(pathOf(home, artifactId));
}

/** Stopping a command takes seconds. A mark this old is that of a process which was killed meanwhile. Milliseconds. */
const OLD_MS = 60 * 60 * 1000;

/** Removes marks that nobody will remove. Never throws. */
export function removeOldMarks(home: string): void {
  const folder = pathOf(home, '');
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (Date.now() - lstatSync(path).mtimeMs > OLD_MS) rmSync(path, { force: true });
    }
  } catch {
    // There are none, or they take next to no room.
  }
}

function pathOf(home: string, artifactId: string): string {
  return join(home, 'run', 'stopping', artifactId);
}
