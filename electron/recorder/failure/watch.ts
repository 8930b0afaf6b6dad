/** Watches a running command's streams for lines that may explain its failure. */
import { dirname } from 'node:path';
import type { Cause } from '../../../shared/artifact.ts';
import { combinedLine } from '../../reader/bytes/combined-line.ts';
import type { Explanation } from '../../reader/failure/explanation.ts';
import { rehearsal } from '../../reader/failure/rehearsal.ts';
import { explainStreams, type ScannedStream } from '../../reader/failure/streams.ts';
import { KEPT_BYTES, keepExplained } from '../../store/contents/keep-explained.ts';
import { decodeArrivalRun } from '../../store/format/times.ts';
import type { Sample } from '../preview/stream-sample.ts';
import type { RecordedStreamName } from '../streams/recorded-stream.ts';
import type { Recording } from '../streams/recording.ts';
import { WatchedStream } from './watched-stream.ts';

export interface ExplainedRun {
  cause: Cause | null;
  /** By stream, for previews of any size. */
  explanations: ReadonlyMap<RecordedStreamName, Explanation>;
}

/** Largest share of the elapsed time that watching may take. */
const TIME_SHARE = 0.12;
const FREE_MS = 20;
/** Pause after watching has taken its share. */
const REST_MS = 25;

export class FailureWatch {
  readonly #recording: Recording;
  readonly #streams: WatchedStream[];
  readonly #begun = performance.now();
  #spent = 0;
  #rehearsal: Generator<void> | null = null;
  #next: NodeJS.Timeout | NodeJS.Immediate | null = null;

  constructor(recording: Recording, names: readonly RecordedStreamName[]) {
    this.#recording = recording;
    this.#streams = names.map((name) => new WatchedStream(name, () => recording.filePath(name)));
  }

  /** Call after output was passed on. */
  wake(): void {
    if (this.#next === null && this.#behind() !== undefined) this.#next = setImmediate(() => this.#step());
  }

  /** Explains the output and stops watching. Skips streams that cannot be read. */
  explain(sampleOf: (stream: RecordedStreamName) => Sample): ExplainedRun {
    this.stop();
    try {
      const scanned = this.#streams.flatMap((stream) => stream.finish(sampleOf(stream.name)) ?? []);
      const { explanations, cause } = explainStreams(scanned);
      this.#keep(scanned, explanations);
      if (cause === null) return { cause, explanations };
      const { stream, line_number, text } = cause;
      const offset = explanations.get(stream)?.ranked.find(({ number }) => number === line_number)?.offset;
      const combined = offset === undefined ? null : this.#combinedLine(scanned, stream, line_number, offset);
      const place = combined === null ? {} : { combined_line: combined };
      return { cause: { stream, line_number, ...place, text }, explanations };
    } finally {
      this.close();
    }
  }

  /** Returns null where the number is not known, as of a stream that can't be scanned beside another. */
  #combinedLine(
    scanned: readonly ScannedStream<RecordedStreamName>[],
    stream: RecordedStreamName,
    number: number,
    offset: number,
  ): number | null {
    const texts = this.#streams.map(({ name }) => {
      const { bytes, newlines } = this.#recording.progress(name);
      return {
        text: scanned.find((one) => one.name === name)?.text ?? { size: bytes, read: () => 0 },
        newlines,
      };
    });
    const at = this.#streams.findIndex(({ name }) => name === stream);
    return combinedLine(texts, at, { number, offset }, decodeArrivalRun(this.#recording.arrivals()));
  }

  /**
   * Stores the explanation, which takes long to find again. The record still says `running`, so the file always has
   * one.
   */
  #keep(
    scanned: readonly ScannedStream<RecordedStreamName>[],
    explanations: ReadonlyMap<RecordedStreamName, Explanation>,
  ): void {
    const large = scanned.flatMap(({ name, text: { size } }) => {
      const explanation = explanations.get(name);
      const isWhole = this.#streams.some((stream) => stream.name === name && stream.isWhole);
      return explanation && isWhole && size >= KEPT_BYTES ? [{ name, bytes: size, explanation }] : [];
    });
    const [first] = large;
    const path = first ? this.#recording.filePath(first.name) : null;
    const id = this.#recording.artifactId;
    if (path !== null && id !== null) keepExplained(dirname(path), id, large);
  }

  stop(): void {
    if (this.#next !== null) {
      clearTimeout(this.#next as NodeJS.Timeout);
      clearImmediate(this.#next as NodeJS.Immediate);
    }
    this.#next = null;
  }

  close(): void {
    this.stop();
    for (const stream of this.#streams) stream.close();
  }

  #step(): void {
    this.#next = null;
    const stream = this.#behind();
    if (stream === undefined) return;
    const start = performance.now();
    if (this.#spent > FREE_MS + TIME_SHARE * (start - this.#begun)) {
      this.#next = setTimeout(() => this.#step(), REST_MS).unref();
      return;
    }
    const got = stream.step();
    const { bytes } = this.#recording.progress(stream.name);
    if (got > 0 && stream.hasTime(bytes)) this.#rehearse(stream.scanned);
    this.#spent += performance.now() - start;
    if (got > 0) this.wake();
  }

  /** Runs one warm-up step between two scan steps, so that output is never delayed for long. */
  #rehearse(sample: Uint8Array): void {
    this.#rehearsal ??= rehearsal(sample);
    this.#rehearsal.next();
  }

  #behind(): WatchedStream | undefined {
    return this.#streams.find((stream) => stream.isBehind(this.#recording.progress(stream.name).bytes));
  }
}
