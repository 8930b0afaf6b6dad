/** Turns file system errors into errors for requests and states for the window. */
import type { DocumentState } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';

export interface FileProblem {
  condition: DocumentState['condition'];
  /** For a request: it shows nothing of the file. */
  error: SpillwayError;
  /** Advice of a window that shows the file, if it differs from the error's. */
  todo?: string;
}

const HELD = 'what was read of it stays readable until this view is closed';

/** `opened`: a descriptor is still open, so a window can still show the text read before. */
export function problemFrom(error: unknown, opened: boolean): FileProblem {
  if (error instanceof SpillwayError) return { condition: 'failed', error };
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return {
      condition: 'vanished',
      error: new SpillwayError(
        'not_found',
        'the file no longer exists',
        'look in the list for what there is now',
      ),
      ...(opened && { todo: HELD }),
    };
  }
  if (code === 'ELOOP') {
    const todo = 'links are not followed, name the file itself';
    return {
      condition: 'vanished',
      error: new SpillwayError('not_found', 'a link has replaced the file', todo),
      ...(opened && { todo: `links are not followed; ${HELD}` }),
    };
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const todo = 'change its permissions, or open it as its owner';
    return {
      condition: 'no_permission',
      error: new SpillwayError(
        'no_permission',
        opened ? 'permission to read the file was removed' : 'no permission to read the file',
        todo,
      ),
      ...(opened && { todo: `${todo}; ${HELD}` }),
    };
  }
  if (code === 'EISDIR') {
    const what = opened
      ? 'the file was replaced by something that is not a file'
      : 'this is not a regular file';
    return {
      condition: 'failed',
      error: new SpillwayError('not_a_file', what, 'name a file'),
      ...(opened && { todo: HELD }),
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
