/** The part of a file's `Stats` that is kept. The four dates in `Stats` cost memory and time for thousands of files. */
import type { Stats } from 'node:fs';

export type FileState = Readonly<
  Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'birthtimeMs' | 'ino' | 'dev' | 'mode'>
>;

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
