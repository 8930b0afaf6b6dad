/** A command that could not be started: what a shell says 126 or 127 for. */
import { SpillwayError } from '../../../shared/errors.ts';

export class NotRunnable extends SpillwayError {
  /** 127 when there is no such command, 126 when it may not be run. */
  readonly status: 126 | 127;

  constructor(status: 126 | 127, what: string, todo: string) {
    super('not_found', what, todo);
    this.name = 'NotRunnable';
    this.status = status;
  }
}
