/**
 * Marks a command that a person stops, for as long as it takes to end. Its recorder, another process, sees a death by
 * SIGTERM, and that is a failure unless somebody asked for it. The process that stops the command owns the mark.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
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

function pathOf(home: string, artifactId: string): string {
  return join(home, 'run', 'stopping', artifactId);
}
