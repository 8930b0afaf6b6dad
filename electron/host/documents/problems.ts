/** Turns file system errors into errors for requests and states for the window. */
import type { DocumentState } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';

export interface FileProblem {
  condition: DocumentState['condition'];
  error: SpillwayError;
}

const HELD = 'what was read of it stays readable until this view is closed';

/** `opened`: a descriptor is still open, so the text read before stays readable. */
export function problemFrom(error: unknown, opened: boolean): FileProblem {
  if (error instanceof SpillwayError) return { condition: 'failed', error };
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const todo = opened ? HELD : 'look in the list for what there is now';
    return {
      condition: 'vanished',
      error: new SpillwayError('not_found', 'the file no longer exists', todo),
    };
  }
  if (code === 'ELOOP') {
    const todo = opened ? `links are not followed; ${HELD}` : 'links are not followed, name the file itself';
    return {
      condition: 'vanished',
      error: new SpillwayError('not_found', 'a link has replaced the file', todo),
    };
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const todo = 'change its permissions, or open it as its owner';
    return {
      condition: 'no_permission',
      error: new SpillwayError(
        'no_permission',
        opened ? 'permission to read the file was removed' : 'no permission to read the file',
        opened ? `${todo}; ${HELD}` : todo,
      ),
    };
  }
  if (code === 'EISDIR') {
    return {
      condition: 'failed',
      error: opened
        ? new SpillwayError('not_a_file', 'the file was replaced by something that is not a file', HELD)
        : new SpillwayError('not_a_file', 'this is not a regular file', 'name a file'),
    };
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    return {
      condition: 'failed',
      error: new SpillwayError(
        'busy',
        'too many files are open',
        'close some views, or raise the limit on open files',
      ),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    condition: 'failed',
    error: new SpillwayError('internal', `the file cannot be read (${code ?? message})`, 'try again'),
  };
}

export function conditionOf(problem: FileProblem | null, binary: boolean): DocumentState['condition'] {
  return problem?.condition ?? (binary ? 'binary' : 'ok');
}

export function reasonSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
