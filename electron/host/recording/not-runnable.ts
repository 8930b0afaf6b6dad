/** A command that could not be started: what a shell says 126 or 127 for. */

import { SpillwayError } from '../../../shared/errors.ts';
import type { RunHead, StreamHead } from '../../../shared/recording.ts';

export class NotRunnable extends SpillwayError {
  /** 127 when there is no such command, 126 when it may not be run. */
  readonly status: 126 | 127;

  constructor(status: 126 | 127, what: string, todo: string) {
    super('not_found', what, todo);
    this.name = 'NotRunnable';
    this.status = status;
  }
}

/** As of a command that failed: so a shell has it. */
export function headOfNotRun(command: string, { status, message }: NotRunnable): RunHead {
  return {
    artifact_id: null,
    command,
    exit_code: status,
    success: false,
    duration_ms: 0,
    timed_out: false,
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
