/** The in-memory part of a recorded stream: its sample, its content type, and whether it spilled. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { ContentType } from '../../../shared/artifact.ts';
import { PREVIEW_BYTES } from '../../../shared/setting-rules.ts';
import type { Settings } from '../../../shared/settings.ts';
import { detectContentType } from '../../reader/bytes/content-type.ts';
import {
  decoderFor,
  detectUnicode,
  ENCODING_SNIFF_BYTES,
  FIRST_NUL_BYTES,
  markedEncoding,
  newlineUnit,
} from '../../reader/bytes/encoding.ts';
import type { Explanation } from '../../reader/failure/explanation.ts';
import { countPlain, type NewlineUnit } from '../../reader/lines/newlines.ts';
import type { RecordedStreamName, StreamCounts } from './outcome.ts';
import { SAMPLE_BYTES, type Sample, StreamSample } from './preview.ts';

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

// Counts lines of UTF-16, in which a line end takes two bytes and other characters may contain its byte.

/** Bytes at the beginning of a stream that may be a byte order mark. */
const MARK_BYTES = 4;

/** Counts in chunks, which may end within a character. Null for text that is not UTF-16. */
class WideLines {
  #unit: NewlineUnit | null = null;
  /** Bytes not counted yet: the beginning, until it tells the encoding; later, half a character. */
  #rest: Uint8Array = Buffer.alloc(0);
  #ends = 0;
  #endsInLine = false;

  /** As CONTRACT 1 counts them. */
  get total(): number | null {
    if (this.#unit === null) return linesOf(this.#rest);
    if (this.#unit === 'byte') return null;
    return this.#ends + (this.#endsInLine || this.#rest.length > 0 ? 1 : 0);
  }

  push(chunk: Uint8Array): void {
    if (this.#unit === 'byte') return;
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#unit ??= unitOf(bytes);
    if (this.#unit === 'byte') return;
    const whole = this.#unit === null ? 0 : bytes.length - (bytes.length % 2);
    if (this.#unit !== null && whole > 0) {
      this.#ends += countPlain(bytes, 0, whole, this.#unit);
      this.#endsInLine = endsInLine(bytes.subarray(0, whole), this.#unit);
    }
    this.#rest = Buffer.from(bytes.subarray(whole));
  }
}

/** Returns null while more bytes could change the answer. */
function unitOf(bytes: Uint8Array): NewlineUnit | null {
  if (bytes.length < MARK_BYTES) return null;
  const marked = newlineUnit(markedEncoding(bytes));
  if (marked !== 'byte') return marked;
  if (bytes.length >= FIRST_NUL_BYTES && !bytes.subarray(0, FIRST_NUL_BYTES).includes(0)) return 'byte';
  return bytes.length < ENCODING_SNIFF_BYTES ? null : newlineUnit(detectUnicode(bytes));
}

/** Counts the lines of a whole stream; null if it is not UTF-16. */
function linesOf(bytes: Uint8Array): number | null {
  const unit = newlineUnit(detectUnicode(bytes));
  if (unit === 'byte') return null;
  const whole = bytes.length - (bytes.length % 2);
  const isOpen = whole < bytes.length || endsInLine(bytes.subarray(0, whole), unit);
  return countPlain(bytes, 0, whole, unit) + (isOpen ? 1 : 0);
}

function endsInLine(bytes: Uint8Array, unit: NewlineUnit): boolean {
  return bytes.length > 0 && countPlain(bytes.subarray(-2), 0, Math.min(2, bytes.length), unit) === 0;
}

/** How much of a stream may come back inline; one byte more, and it spills (CONTRACT 1). */
export interface InlineBudget {
  /** Most bytes; or `chars`, most characters of text. */
  bytes?: number;
  chars?: number;
  lines: number;
}

/** Returns the budgets of a command's streams. */
export function commandBudgets(settings: Settings): Record<'stdout' | 'stderr' | 'output', InlineBudget> {
  const bytes = PREVIEW_BYTES[settings.previewSize];
  const output = { bytes, lines: settings.maxOutputLines };
  return { stdout: output, stderr: { bytes, lines: settings.maxErrorLines }, output };
}

/** Returns the budget of tool responses and piped input. Characters that the caller names decide alone. */
export function responseBudget(settings: Settings, chars?: number): InlineBudget {
  if (chars !== undefined) return { chars, lines: Number.POSITIVE_INFINITY };
  return { chars: settings.inlineThresholdChars, lines: settings.inlineThresholdLines };
}

/** Returns the most bytes that a stream within the budget can have; they must fit in memory. */
function mostBytes(budget: InlineBudget): number {
  // No character takes more than four bytes, in UTF-8 or UTF-16.
  return budget.bytes ?? (budget.chars ?? 0) * 4;
}

/**
 * `bytes` hold the whole stream, or anything if the stream is larger than `mostBytes`. Lines count as in CONTRACT 1.
 */
export function isWithin(budget: InlineBudget, bytes: Buffer, totalBytes: number, lines: number): boolean {
  if (totalBytes > mostBytes(budget) || lines > budget.lines) return false;
  if (budget.chars === undefined || totalBytes <= budget.chars) return true;
  return charactersOf(wholeText(bytes)) <= budget.chars;
}

/** The text of a whole stream, with its byte order mark. Without one it is UTF-8, as agents give their strings. */
export function wholeText(bytes: Buffer): string {
  return decoderFor(markedEncoding(bytes)).decode(bytes);
}

function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
