/** ID|PATH: which output a person means. */
import { existsSync } from 'node:fs';
import { ArtifactId } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { Target } from '../../shared/views.ts';

/** An id where it looks like one, unless a file of that name is here; else a path. Throws `usage` for what can be neither. */
export function targetOf(given: string): Pick<Target, 'artifact_id' | 'file_path'> {
  if (given === '-') {
    throw new SpillwayError(
      'unsupported',
      'standard input cannot be read here',
      'write it to a file and name that',
    );
  }
  if (given === '') throw new SpillwayError('usage', 'an empty name is no output', 'give an id or a path');
  if (given.includes('\0'))
    throw new SpillwayError('usage', 'a path holds no NUL character', 'give an id or a path');
  return ArtifactId.safeParse(given).success && !existsSync(given)
    ? { artifact_id: given }
    : { file_path: given };
}
