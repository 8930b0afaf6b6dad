/** What is kept of a look at a file. Node's `Stats` hold four dates more, which cost memory and time by the thousand. */
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
