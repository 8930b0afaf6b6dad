/** Compares watched files by their `Stats`, and names them. */

import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { basename } from 'node:path';
import type { FileState } from '../../agents/facts/described.ts';
import { artifactId, birthTime } from '../../store/format/names.ts';

export function stateOf({ size, mtimeMs, ctimeMs, birthtimeMs, ino, dev, mode }: FileState): FileState {
  return { size, mtimeMs, ctimeMs, birthtimeMs, ino, dev, mode };
}

export function isSameState(a: FileState, b: FileState): boolean {
  return (
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.birthtimeMs === b.birthtimeMs &&
    a.ino === b.ino &&
    a.dev === b.dev
  );
}

/**
 * Returns a file's id, the same in every process: its birth time, and a hash of its real path. When another file has
 * that id, `attempt` 1, 2, … give the next candidates (id-book.ts). Apart from other ids: starting a recorded command
 * must not load `node:crypto`.
 */
export function fileArtifactId(realPath: string, stats: Pick<Stats, 'birthtimeMs'>, attempt = 0): string {
  const hashed = attempt === 0 ? realPath : `${realPath}\0${attempt}`;
  const hex = hash('sha256', hashed, 'hex').slice(0, 6);
  return artifactId('file', basename(realPath), birthTime(stats), hex);
}
