/**
 * Explains a failed run. Loading the code takes a third of a short command's time, so load it only for a failure, or
 * for output that must be watched while it arrives.
 */
import type { ExplainedRun, FailureWatch } from '../../recorder/failure/watch.ts';
import type { RecordedStreamName } from '../../recorder/streams/recorded-stream.ts';
import type { Recording } from '../../recorder/streams/recording.ts';

/** Less is explained quickly enough when the command has ended. */
const FOLLOW_BYTES = 256 * 1024;

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
    this.#loading ??= import('../../recorder/failure/watch.ts').then(({ FailureWatch }) => {
      const watch = new FailureWatch(this.#recording, this.#streams);
      if (!this.#isClosed) this.#watch = watch;
      return watch;
    });
    return this.#loading;
  }
}
