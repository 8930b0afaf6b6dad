/** Finds the file or directory that a person typed the path of. */
import { pathNamed } from '../../../reader/bytes/path-text.ts';
import { diskHere, isUnanswered } from '../../../workers/disk.ts';

interface TypedPath {
  /** Absolute, and spelled as `path-text.ts` does. */
  path: string;
  exists: boolean;
}

/** Rejects with `stalled` when its file system does not answer. */
export async function typedPath(given: string): Promise<TypedPath> {
  const path = pathNamed(given);
  const exists = await diskHere()
    .place(path)
    .then(
      () => true,
      (error: unknown) => {
        if (isUnanswered(error)) throw error;
        return false;
      },
    );
  return { path, exists };
}
