/**
 * Tells a command's recorder that a person stops the command. The recorder is another process, so a file in the home
 * says it until the command has ended. Without the file, death by SIGTERM is a failure. It belongs to the process that
 * stops the command.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a function that withdraws the request. Never throws: without a request, the command counts as failed. */
export function requestStop(home: string, artifactId: string): () => void {
  const path = pathOf(home, artifactId);
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(path, '', { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => rmSync(path, { force: true });
}

export function isStopRequested(home: string, artifactId: string): boolean {
  return existsSync(pathOf(home, artifactId));
}

/** Stopping a command takes seconds. The process that left so old a request was killed. */
const OLD_MS = 60 * 60 * 1000;

/** Removes requests whose process was killed. Never throws. */
export function removeOldRequests(home: string): void {
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
