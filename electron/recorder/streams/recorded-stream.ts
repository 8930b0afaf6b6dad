/** The in-memory part of a recorded stream: its sample, its content type, and whether it spilled. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { ContentType, StreamName } from '../../../shared/artifact.ts';
import type { Explanation } from '../../reader/failure/explanation.ts';
import { detectContentType } from '../../reader/text/content-type.ts';
import { SAMPLE_BYTES, type Sample, StreamSample } from '../preview/stream-sample.ts';
import type { StreamCounts } from './concluded.ts';
import { type InlineBudget, isWithin, mostBytes } from './inline-budget.ts';
import { WideLines } from './wide-lines.ts';

export type RecordedStreamName = Exclude<StreamName, 'combined'>;

/** The facts about a stream whose recording has ended. */
export interface FinishedStream {
  name: RecordedStreamName;
  /** Null if it was folded into the record, or not stored. */
  file_path: string | null;
  total_lines: number;
  /** Bytes stored; for an unrecorded stream, bytes received. */
  total_bytes: number;
  dropped_bytes: number;
  /** Whether everything received is stored. */
  whole: boolean;
  content_type: ContentType;
  /** Whether it outgrew its inline budget. */
  spilled: boolean;
  /** For cutting previews. */
  sample: Sample;
  /** Set if the command failed; for cutting previews. */
  explanation?: Explanation;
}

interface RecordedStreamOptions {
  name: RecordedStreamName;
  /** Null to detect it. */
  contentType?: ContentType | null;
  budget?: InlineBudget | null;
  /** Most bytes to store, 0 for any number. A stream cut by it never counts as whole. */
  cap?: number;
  counts: Readonly<StreamCounts>;
}

export class RecordedStream {
  readonly name: RecordedStreamName;
  readonly budget: InlineBudget | null;
  readonly #sample: StreamSample;
  /** Updated by the code that stores the stream. */
  readonly counts: Readonly<StreamCounts>;
  readonly #cap: number;
  readonly #givenType: ContentType | null;
  readonly #wide = new WideLines();

  constructor({ name, contentType = null, budget = null, cap = 0, counts }: RecordedStreamOptions) {
    this.name = name;
    this.budget = budget;
    this.counts = counts;
    this.#cap = cap;
    this.#givenType = contentType;
    this.#sample = new StreamSample(Math.max(SAMPLE_BYTES, budget === null ? 0 : mostBytes(budget)));
  }

  push(chunk: Uint8Array): void {
    this.#sample.push(chunk);
    this.#wide.push(chunk);
  }

  /** Continues where another process stopped, after reading the beginning from the file. */
  resume(path: string | null): void {
    const { bytes } = this.counts;
    this.#sample.resume(path === null ? Buffer.alloc(0) : beginningOf(path, bytes), bytes);
  }

  /** The first bytes: all of a small stream. */
  head(): Buffer {
    return this.#sample.head();
  }

  sample(): Sample {
    return this.#sample.take(this.counts);
  }

  /** As CONTRACT 1 counts lines. */
  get totalLines(): number {
    return this.#wide.total ?? this.counts.newlines + (this.counts.endsInLine ? 1 : 0);
  }

  get contentType(): ContentType {
    if (this.#givenType !== null) return this.#givenType;
    return detectContentType(this.#sample.head(), { size: this.counts.bytes });
  }

  /** Whether all of it may come back inline; false without a budget. */
  get isInline(): boolean {
    const { budget, counts } = this;
    if (budget === null || (this.#cap > 0 && counts.bytes > this.#cap)) return false;
    const bytes = counts.bytes <= mostBytes(budget) ? this.#sample.head() : Buffer.alloc(0);
    return isWithin(budget, bytes, counts.bytes, this.totalLines);
  }
}

function beginningOf(path: string, arrived: number): Buffer {
  try {
    const fd = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(Math.min(arrived, SAMPLE_BYTES));
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
