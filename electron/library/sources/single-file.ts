/** A single file that a person opens. */
import type { SourceKind } from './source.ts';

export const singleFile: SourceKind = {
  name: 'file',
  title: 'File',
  isDirectory: false,
  includes: () => false,
};
