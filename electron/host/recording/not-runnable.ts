/** A command that could not be started: what a shell says 126 or 127 for. */
import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { END_SOME, SpillwayError } from '../../../shared/errors.ts';
import type { RunHead, StreamHead } from '../../../shared/recording.ts';

export class NotRunnable extends SpillwayError {
  /** 127 for an unknown command, 126 for one that is not executable, 124 for one whose disk took the time-out. */
  readonly status: 124 | 126 | 127;

  constructor(status: 124 | 126 | 127, what: string, todo: string) {
    super('not_found', what, todo);
    this.name = 'NotRunnable';
    this.status = status;
  }
}

/** Returns NotRunnable if the system has refused to start the command `name`; else the error itself. */
export function notStarted(name: string, error: NodeJS.ErrnoException): Error {
  const { code = '' } = error;
  const number = (constants.errno as Record<string, number>)[code];
  const todo = START_ERRORS[code] ?? getSystemErrorMap().get(-(number ?? 0))?.[1];
  if (todo === undefined) return error;
  return new NotRunnable(
    code === 'ENOENT' ? 127 : 126,
    `${JSON.stringify(name)} could not be started (${code})`,
    todo,
  );
}

/** Advice for some errors. Any other error is told in the system's words. */
const START_ERRORS: Record<string, string> = {
  ENOENT: 'check its first line: the interpreter that it names does not exist',
  EACCES: 'make it executable: chmod +x',
  ENOEXEC: 'it is not a program for this machine',
  E2BIG: 'it is too long for the system: put its arguments, or the script, in a file',
  ETXTBSY: 'a program has it open for writing: end that first',
  EAGAIN: 'there are too many processes: end some (ulimit -u)',
  EMFILE: END_SOME,
  ENFILE: END_SOME,
  ENOMEM: 'there is no memory left: end some processes',
};

/** Returns the head of a command that failed to start, with a shell's status. */
export function headOfNotRun(command: string, { status, message }: NotRunnable): RunHead {
  return {
    artifact_id: null,
    command,
    exit_code: status,
    success: false,
    duration_ms: 0,
    timed_out: status === 124,
    cached: false,
    warnings: [],
    cause: null,
    error: message,
    stdout: NOTHING,
    stderr: NOTHING,
  };
}

const NOTHING: StreamHead = {
  file_path: null,
  total_lines: 0,
  total_bytes: 0,
  returned_lines: 0,
  returned_bytes: 0,
  truncated: false,
  dropped_bytes: 0,
  content_type: 'unknown',
};
