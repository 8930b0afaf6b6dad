/**
 * Which paths the running inspector has open, for the other processes of the same home: an id copied from its window
 * works on the command line and for an agent.
 */
import { readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const Opened = z.object({ pid: z.number().int().positive(), paths: z.array(z.string()).max(10_000) });

/** Replaced atomically; best effort, since nothing but convenience depends on it. */
export function publishOpened(home: string, paths: readonly string[]): void {
  const path = fileOf(home);
  try {
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify({ pid: process.pid, paths }), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // A home that cannot be written to has been reported when it was prepared.
  }
}

export function unpublishOpened(home: string): void {
  try {
    if (readOpened(home)?.pid === process.pid) unlinkSync(fileOf(home));
  } catch {
    // Gone already.
  }
}

/** The paths, as long as the process that published them lives; empty otherwise. */
export function openedPaths(home: string): string[] {
  const opened = readOpened(home);
  return opened && isAlive(opened.pid) ? opened.paths : [];
}

/** Changes whenever the published paths do; null when there are none. */
export function openedStamp(home: string): string | null {
  try {
    const { mtimeMs, ino, size } = statSync(fileOf(home));
    return `${mtimeMs}/${ino}/${size}`;
  } catch {
    return null;
  }
}

function readOpened(home: string): z.infer<typeof Opened> | null {
  try {
    return Opened.parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
  } catch {
    return null;
  }
}

function fileOf(home: string): string {
  return join(home, 'run', 'opened.json');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
