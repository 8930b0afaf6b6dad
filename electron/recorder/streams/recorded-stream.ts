/** One stream of a recording, as far as it is in memory: its sample, its content type, and whether it spilled. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { ContentType, StreamName } from '../../../shared/artifact.ts';
import type { Explanation } from '../../reader/failure/explanation.ts';
import { detectContentType } from '../../reader/text/content-type.ts';
import { SAMPLE_BYTES, type Sample, StreamSample } from '../preview/stream-sample.ts';
import { type InlineBudget, isWithin, mostBytes } from './inline-budget.ts';
import type { StreamProgress } from './stream-file.ts';
import { WideLines } from './wide-lines.ts';

export type RecordedStreamName = Exclude<StreamName, 'combined'>;

/** The facts about a stream whose recording has ended. */
export interface FinishedStream {
  name: RecordedStreamName;
  /** Null when it was folded into the record, or not stored. */
  file_path: string | null;
  total_lines: number;
  /** Bytes stored; of an unrecorded stream, bytes that came. */
  total_bytes: number;
  dropped_bytes: number;
  /** All that came of it is stored. */
  whole: boolean;
  content_type: ContentType;
  /** It outgrew its inline budget. */
  spilled: boolean;
  /** Previews are cut from it. */
  sample: Sample;
  /** Set where the command failed: previews are cut from it. */
  explanation?: Explanation;
}

export class RecordedStream {
  readonly name: RecordedStreamName;
  readonly budget: InlineBudget | null;
  readonly sample: StreamSample;
  readonly #cap: number;
  readonly #givenType: ContentType | null;
  readonly #wide = new WideLines();
  #endsInLine = false;

  /** `cap`: most bytes that are stored, 0 for any number; what is cut by it does not come back as if it were whole. */
  constructor(name: RecordedStreamName, type: ContentType | null, budget: InlineBudget | null, cap = 0) {
    this.name = name;
    this.budget = budget;
    this.#cap = cap;
    this.#givenType = type;
    this.sample = new StreamSample(Math.max(SAMPLE_BYTES, budget === null ? 0 : mostBytes(budget)));
  }

  push(chunk: Uint8Array, newlines: number): void {
    this.sample.push(chunk, newlines);
    this.#wide.push(chunk);
    this.#endsInLine = chunk[chunk.length - 1] !== 10;
  }

  /** Takes over what another process had counted; the beginning is read from the file again. */
  resume({ arrived, lines, endsInLine }: StreamProgress, path: string | null): void {
    const head = path === null ? Buffer.alloc(0) : beginningOf(path, arrived);
    this.sample.resume(head, arrived, lines);
    this.#endsInLine = endsInLine;
  }

  /** As CONTRACT 1 counts lines. */
  get totalLines(): number {
    return this.#wide.total ?? this.sample.newlines + (this.#endsInLine ? 1 : 0);
  }

  get contentType(): ContentType {
    if (this.#givenType !== null) return this.#givenType;
    return detectContentType(this.sample.head(), { size: this.sample.total });
  }

  /** Whether all of it may come back inline; false without a budget. */
  get isInline(): boolean {
    const { budget, sample } = this;
    if (budget === null || (this.#cap > 0 && sample.total > this.#cap)) return false;
    const bytes = sample.total <= mostBytes(budget) ? sample.head() : Buffer.alloc(0);
    return isWithin(budget, bytes, sample.total, this.totalLines);
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
