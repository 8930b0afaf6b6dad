/** A directory that a person adds: its files, except in hidden folders and `node_modules`. */

import picomatch from 'picomatch';
import { WATCH_DEPTH } from '../../../shared/limits.ts';
import type { SourceKind } from '../../agents/captures.ts';

export const directory: SourceKind = {
  name: 'directory',
  title: 'Folder',
  isDirectory: true,
  includes: (folder, name, isDirectory) =>
    folder.length <= WATCH_DEPTH && name !== 'node_modules' && !(isDirectory && name.startsWith('.')),
};

/**
 * Returns a directory of which only files belong that match a glob: by name if it has no slash (`*.log`), else by the
 * path from the directory (`build-?/**`).
 */
export function directoryOf(pattern: string | undefined): SourceKind {
  if (pattern === undefined) return directory;
  const matches = picomatch(pattern, { basename: !pattern.includes('/'), dot: true });
  return {
    ...directory,
    includes: (folder, name, isDirectory) =>
      directory.includes(folder, name, isDirectory) && (isDirectory || matches([...folder, name].join('/'))),
  };
}
