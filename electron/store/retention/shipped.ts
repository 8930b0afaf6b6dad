/**
 * Which captures are in the archive, by an empty file for each in `archive/shipped/` of the home. Not beside the
 * capture: what runs in a sandbox may write there.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFailure } from '../../../shared/recording.ts';
import type { ArchiveSettings } from '../../../shared/settings.ts';
import { isOpen } from '../format/entry.ts';
import type { Capture } from '../format/folder.ts';

export function archiveFolder(home: string): string {
  return join(home, 'archive');
}

function shippedFolder(home: string): string {
  return join(archiveFolder(home), 'shipped');
}

export function isShipped(home: string, id: string): boolean {
  return existsSync(join(shippedFolder(home), id));
}

export function noteShipped(home: string, id: string): void {
  mkdirSync(shippedFolder(home), { recursive: true, mode: 0o700 });
  writeFileSync(join(shippedFolder(home), id), '', { mode: 0o600 });
}

/** Forgets captures that no longer exist. Returns how many are left. */
export function keepShipped(home: string, ids: ReadonlySet<string>): number {
  let names: string[] = [];
  try {
    names = readdirSync(shippedFolder(home));
  } catch {
    // Nothing was shipped yet.
  }
  const gone = names.filter((name) => !ids.has(name));
  for (const name of gone) rmSync(join(shippedFolder(home), name), { force: true });
  return names.length - gone.length;
}

/** True for a finished capture that the settings ship, whether or not it is shipped already. */
export function isForArchive({ gone, record, files }: Capture, { ship }: ArchiveSettings): boolean {
  if (gone !== null || record === null || isOpen(record)) return false;
  // The end of a stream beyond its cap is not joined to it yet.
  if (files.some(({ suffix }) => suffix.includes('.tail.'))) return false;
  return ship === 'all' || (ship === 'failed' && isFailure(record.status));
}

/** True while the capture waits to be shipped. */
export function isWaiting(home: string, capture: Capture, archive: ArchiveSettings): boolean {
  return isForArchive(capture, archive) && !isShipped(home, capture.id);
}
