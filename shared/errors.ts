/** Errors in one form for window, command line and MCP: `WHAT: WHAT TO DO`. */
export type ErrorCode =
  | 'usage'
  | 'not_found'
  | 'not_a_file'
  | 'no_permission'
  | 'out_of_range'
  | 'bad_encoding'
  | 'changed'
  | 'unsupported'
  | 'busy'
  | 'home'
  | 'cancelled'
  | 'stalled'
  | 'internal';

/** An error meant for the person or agent who asked: `what` happened, and what `todo` about it. */
export class SpillwayError extends Error {
  readonly code: ErrorCode;
  readonly what: string;
  readonly todo: string;

  constructor(code: ErrorCode, what: string, todo: string) {
    super(`${what}: ${todo}`);
    this.name = 'SpillwayError';
    this.code = code;
    this.what = what;
    this.todo = todo;
  }
}

export function cancelledRequest(): SpillwayError {
  return new SpillwayError('cancelled', 'the request was cancelled', 'ask again if it is still needed');
}

/** The error for requests to a host that is being closed. */
export function closing(): SpillwayError {
  return new SpillwayError('cancelled', 'Spillway is closing', 'ask again when it runs');
}

/** Whether no descriptor is left, in this process or on the machine. */
export function isOutOfFiles(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes((error as { code?: string } | null)?.code ?? '');
}

export const END_SOME = 'end some commands, or raise the limit of open files (ulimit -n)';

/** Converts any thrown value to a SpillwayError; unexpected ones keep their message and ask to be reported. */
export function toSpillwayError(error: unknown): SpillwayError {
  if (error instanceof SpillwayError) return error;
  if (isOutOfFiles(error)) return new SpillwayError('busy', 'too many files are open', END_SOME);
  const message = error instanceof Error ? error.message : String(error);
  return new SpillwayError('internal', message, 'this is a defect in Spillway, please report it');
}
