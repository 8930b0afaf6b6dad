/** Finds the file or directory that a person typed the path of. */
import { existsSync } from 'node:fs';
import { pathBytes, pathNamed } from '../../../reader/bytes/path-text.ts';

interface TypedPath {
  /** Absolute, and spelled as `path-text.ts` does. */
  path: string;
  exists: boolean;
}

export function typedPath(given: string): TypedPath {
  const path = pathNamed(given);
  return { path, exists: existsSync(pathBytes(path)) };
}
