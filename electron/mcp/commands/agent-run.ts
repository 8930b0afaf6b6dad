/** Declares a command that an agent runs. */
import type { RunningRecorded, RunResult } from '../../host/recording/run-request.ts';

export interface AgentRun extends Omit<RunningRecorded, 'sawSignal'> {
  readonly session: string;
  /** By the monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** Ends it with all it started; resolves when it has ended. */
  stop(): Promise<RunResult>;
}
