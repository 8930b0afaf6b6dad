/** A directory that a person adds: all its files, except in hidden folders and `node_modules`. */
import { WATCH_DEPTH } from '../../../shared/limits.ts';
import type { SourceKind } from './source.ts';

export const directory: SourceKind = {
  name: 'directory',
  title: 'Directory',
  isDirectory: true,
  includes: (folder, name, isDirectory) =>
    folder.length <= WATCH_DEPTH && name !== 'node_modules' && !(isDirectory && name.startsWith('.')),
};
