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

/** Converts any thrown value to a SpillwayError; unexpected ones keep their message and ask to be reported. */
export function toSpillwayError(error: unknown): SpillwayError {
  if (error instanceof SpillwayError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SpillwayError('internal', message, 'this is a defect in Spillway, please report it');
}
