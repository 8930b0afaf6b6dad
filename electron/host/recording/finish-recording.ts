/** The end of a recorded command: its background children may still write, and its failure is explained. */
import type { CommandEnd } from '../../recorder/command/command-handle.ts';
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

  /** Explains the output and stops watching. */
  async explain(): Promise<ExplainedRun> {
    const watch = await this.#load();
    return watch.explain((stream) => this.#recording.sample(stream));
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
