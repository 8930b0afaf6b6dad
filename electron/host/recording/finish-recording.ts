/** The end of a recorded command: its background children may still write, and its failure is explained. */

import { constants } from 'node:os';
import type { Status } from '../../../shared/artifact.ts';
import { shortenMiddle } from '../../../shared/text/format.ts';
import type { CommandEnd } from '../../recorder/command/command-handle.ts';
import { findPerl } from '../../recorder/command/perl.ts';
import type { Survivor } from '../../recorder/command/process-tree.ts';
import type { ExplainedRun, FailureWatch } from '../../recorder/streams/failure-watch.ts';
import type { CommandOutcome, RecordedStreamName } from '../../recorder/streams/outcome.ts';
import { startRecorder } from '../../recorder/streams/record-on.ts';
import type { Finished, Recording } from '../../recorder/streams/recording.ts';
import type { RunRequest } from './run-request.ts';

interface RecordingEnd {
  finished: Finished;
  /** Resolves when recording has ended. */
  rest: Promise<void>;
  /** Background children's output is not recorded. */
  restLost: boolean;
  /** The process that records on; null when there is none. */
  recorder: number | null;
}

/** Leaves streams that are still open to a recorder process, where `request` names one; else this process reads on. */
export async function finishRecording(
  { recorder, keepsOutput }: RunRequest,
  recording: Recording,
  outcome: CommandOutcome,
  open: CommandEnd['open'],
): Promise<RecordingEnd> {
  const ends = Object.values(open);
  if (ends.length === 0) {
    const finished = await recording.finish(outcome);
    return { finished, rest: Promise.resolve(), restLost: false, recorder: null };
  }
  if (!recorder) {
    const finished = recording.soFar(outcome);
    for (const end of ends) end.readOn();
    const rest = Promise.all(ends.map((end) => end.ended)).then(
      async () => void (await recording.finish(null)),
    );
    return { finished, rest, restLost: false, recorder: null };
  }
  const { finished, handOver } = recording.handOver(outcome);
  const isLost = ends.some(({ fd }) => fd === null);
  if (isLost)
    finished.warnings.push(`${LOST}: there is no mkfifo, which makes pipes that can be handed over`);
  let pid: number | undefined;
  try {
    pid = await startRecorder(recorder, handOver, open, !keepsOutput);
  } catch (error) {
    finished.warnings.push(`${LOST}: no recorder could be started (${(error as Error).message})`);
  }
  for (const end of ends) end.close();
  return {
    finished,
    rest: Promise.resolve(),
    restLost: isLost || pid === undefined,
    recorder: pid ?? null,
  };
}

const LOST = 'what its background children print is lost';

/** Less is explained quickly enough when the command has ended. */
const FOLLOW_BYTES = 256 * 1024;

/**
 * Explains a failed run. Loading the code takes a third of a short command's time, so load it only for a failure, or
 * for output that must be watched while it arrives.
 */
export class Explainer {
  readonly #recording: Recording;
  readonly #streams: readonly RecordedStreamName[];
  #watch: FailureWatch | null = null;
  #loading: Promise<FailureWatch> | null = null;
  #bytes = 0;
  #isClosed = false;

  constructor(recording: Recording, streams: readonly RecordedStreamName[]) {
    this.#recording = recording;
    this.#streams = streams;
  }

  /** Call after output was passed on. */
  passedOn(bytes: number): void {
    this.#bytes += bytes;
    if (this.#watch !== null) this.#watch.wake();
    else if (this.#bytes > FOLLOW_BYTES) void this.#load();
  }

  /** Explains the output and stops watching. `timeout`: the milliseconds after which the command was ended. */
  async explain(timeout: number | null): Promise<ExplainedRun> {
    const watch = await this.#load();
    return watch.explain((stream) => this.#recording.sample(stream), timeout);
  }

  close(): void {
    this.#isClosed = true;
    this.#watch?.close();
  }

  #load(): Promise<FailureWatch> {
    this.#loading ??= import('../../recorder/streams/failure-watch.ts').then(({ FailureWatch }) => {
      const watch = new FailureWatch(this.#recording, this.#streams);
      if (!this.#isClosed) this.#watch = watch;
      return watch;
    });
    return this.#loading;
  }
}

/** Describes how a command ended: on its own, by a signal, or by its timeout. */
export interface Ended extends CommandEnd {
  /** The signal that somebody asked it to end with, when that is what it did. */
  endedAs: NodeJS.Signals | null;
}

/** A person, or a system that shuts down, ends a command with these. Death by another signal is a failure. */
const ENDS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** Ctrl-C reaches the child and us; wait this long for ours. */
const ON_ITS_WAY_MS = 100;

/** Stopping a command sends SIGKILL within this after SIGTERM. A later SIGKILL has another reason. */
const KILLED_WITHIN_MS = 5000;

/**
 * Returns the signal a person sent, if the command died of it, exited with its status (128 + n) after cleaning up, or
 * went on after SIGTERM and was killed.
 *
 * @param asked when each signal was sent, by `performance.now()`
 */
export async function endedAs(
  { reason, exitCode, signal }: CommandEnd,
  asked: ReadonlyMap<NodeJS.Signals, number>,
): Promise<NodeJS.Signals | null> {
  if (reason !== 'exited') return null;
  const termAt = asked.get('SIGTERM');
  if (signal === 'SIGKILL' && termAt !== undefined)
    return performance.now() - termAt < KILLED_WITHIN_MS ? 'SIGTERM' : null;
  const one = ENDS.find((end) => signal === end || exitCode === 128 + constants.signals[end]);
  if (one === undefined) return null;
  for (let waited = 0; !asked.has(one) && waited < ON_ITS_WAY_MS; waited += 10)
    await new Promise((resolve) => setTimeout(resolve, 10));
  return asked.has(one) ? one : null;
}

export function statusOf({ reason, exitCode, endedAs }: Ended): Status {
  if (reason !== 'exited') return reason;
  if (endedAs !== null) return 'cancelled';
  return exitCode === 0 ? 'succeeded' : 'failed';
}

/** A here-document may be long. */
const MOST_COMMAND_CHARS = 60;

/** Returns a sentence about why the command did not end on its own; null if it did. */
export function errorOf(
  { command, timeout }: { command: string; timeout?: number | null },
  { reason, signal, endedAs, survivors }: Ended,
): string | null {
  const name = JSON.stringify(shortenMiddle(command, MOST_COMMAND_CHARS));
  if (reason === 'timed_out')
    return `${name} was ended after its time-out of ${timeout} ms${whatElseEnded(survivors)}`;
  if (reason === 'cancelled') return `${name} was cancelled${whatElseEnded(survivors)}`;
  if (endedAs !== null) return `${name} was cancelled by ${endedAs}`;
  return signal === null ? null : `${name} was ended by ${signal}`;
}

/** Says what else was ended, as far as is known. */
function whatElseEnded(survivors: readonly Survivor[]): string {
  if (survivors.length === 0)
    return SEES_ALL ? ', with all it had started' : ', with what was found of what it had started';
  const pids = survivors.map(({ pid }) => pid).join(', ');
  const why = survivors.every(({ forbidden }) => forbidden) ? ', of another user' : '';
  return `, but not all it had started: still running${why}: ${pids}`;
}

/** Elsewhere, a process can leave the command's tree unseen. */
const SEES_ALL = process.platform === 'linux' && findPerl() !== null;
