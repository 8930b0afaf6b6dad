/** What can be the matter with a file, for requests (an error) and for the window (a state). */
import type { DocumentState } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';

export interface FileProblem {
  condition: DocumentState['condition'];
  error: SpillwayError;
}

/** `opened`: what was read before can still be read, through the descriptor that is held. */
export function problemFrom(error: unknown, opened: boolean): FileProblem {
  if (error instanceof SpillwayError) return { condition: 'failed', error };
  const code = (error as NodeJS.ErrnoException)?.code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const todo = opened
      ? 'what was read of it stays readable until this view is closed'
      : 'look in the list for what there is now';
    return { condition: 'vanished', error: new SpillwayError('not_found', 'the file is gone', todo) };
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return {
      condition: 'no_permission',
      error: new SpillwayError(
        'no_permission',
        'the file may not be read',
        'change its permissions, or open it as its owner',
      ),
    };
  }
  if (code === 'EISDIR') {
    return {
      condition: 'failed',
      error: new SpillwayError('not_a_file', 'this is not a regular file', 'name a file'),
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
