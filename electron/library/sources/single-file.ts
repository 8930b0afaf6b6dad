/** A single file that a person opens. */

import type { SourceKind } from '../../agents/captures.ts';
export const singleFile: SourceKind = {
  name: 'file',
  title: 'File',
  isDirectory: false,
  includes: () => false,
};
