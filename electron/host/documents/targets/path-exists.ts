/** Tells whether a typed path exists. */
import { existsSync } from 'node:fs';
import { pathBytes, pathNamed } from '../../../reader/bytes/path-text.ts';

export { pathNamed } from '../../../reader/bytes/path-text.ts';

export function pathExists(given: string): boolean {
  return existsSync(pathBytes(pathNamed(given)));
}
