/** Reads parts of a stored text and returns their lines by number. Reads no part twice. */
import { Buffer } from 'node:buffer';
import { lineText } from '../../../shared/text/line-text.ts';
import { type LinePrefix, learnPrefix, type PrefixForm } from '../shapes/line-prefix.ts';
import type { LinePlace } from './scan/shape-table.ts';

/** Reads the stored text. Reading past the end, or where bytes were not kept, returns fewer bytes. */
export interface FailureText {
  /** Bytes. */
  readonly size: number;
  /** Fills `bytes` from `position` on; returns how many it filled. */
  read(bytes: Uint8Array, position: number): number;
}

export interface LogLine {
  readonly number: number;
  readonly offset: number;
  /** Without colours, as shown; of a longer line its first MOST_LINE_BYTES. */
  readonly text: string;
  /** `text` is not all of it. */
  readonly isCut: boolean;
}

/** Bytes of each part of a text from which its prefix is learnt. */
const SAMPLE_BYTES = 8 * 1024;
/** Bytes of a line that expressions look at. */
const MOST_LINE_BYTES = 4096;
const BEFORE_BYTES = 1536;
const AFTER_BYTES = 3072;

export class LogLines {
  readonly source: FailureText;
  readonly #lines = new Map<number, LogLine | Unread>();
  readonly #total: number;
  #form: PrefixForm | null = null;

  /** `total`: lines of the text. */
  constructor(text: FailureText, total: number) {
    this.source = text;
    this.#total = total;
  }

  get total(): number {
    return this.#total;
  }

  get(number: number): LogLine | undefined {
    const line = this.#lines.get(number);
    if (line === undefined || 'text' in line) return line;
    const raw = line.bytes.toString('utf8');
    const text = HAS_CONTROLS.test(raw) ? lineText(raw) : raw;
    const read = { number, offset: line.offset, text, isCut: line.isCut };
    this.#lines.set(number, read);
    return read;
  }

  /** Reads around a line, unless it and its neighbours are here. */
  load({ line, offset }: LinePlace, before = BEFORE_BYTES, after = AFTER_BYTES): LogLine | undefined {
    const known = this.get(line);
    if (known && this.#lines.has(line - 2) && this.#lines.has(Math.min(this.#total, line + 4))) return known;
    const from = Math.max(0, offset - before);
    const bytes = Buffer.allocUnsafe(Math.min(this.source.size, offset + after) - from);
    if (bytes.length <= 0) return undefined;
    const got = bytes.subarray(0, this.source.read(bytes, from));
    if (offset - from > got.length) return undefined;
    this.#forward(got, offset - from, line, from);
    this.#backward(got, offset - from, line, from);
    return this.get(line);
  }

  /** Returns the prefix of a line, which ends where its message begins. */
  prefixOf(text: string): LinePrefix {
    this.#form ??= learnPrefix(this.#sample());
    return this.#form.of(text);
  }

  messageOf({ text }: LogLine): string {
    return text.slice(this.prefixOf(text).end);
  }

  /** The message with its indentation. */
  indentedOf({ text }: LogLine): string {
    let from = this.prefixOf(text).end;
    if (from === 0) return text;
    while (text[from - 1] === ' ') from--;
    return text.slice(from).replace(/^ /, '');
  }

  /** Some lines of the beginning, the middle and the end. */
  #sample(): string[] {
    const sample: string[] = [];
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const from = Math.floor(Math.max(0, this.source.size - SAMPLE_BYTES) * share);
      const bytes = Buffer.alloc(Math.min(SAMPLE_BYTES, this.source.size));
      const text = bytes.toString('utf8', 0, this.source.read(bytes, from));
      const lines = text.split('\n');
      sample.push(...lines.slice(share === 0 ? 0 : 1, -1).map((line) => lineText(line.slice(0, 400))));
    }
    return sample;
  }

  /** Lines that are not blank, the last one first, as far as they are loaded. */
  *fromEnd(): Generator<LogLine, void> {
    for (let n = this.#total; n > 0; n--) {
      const line = this.get(n);
      if (!line) return;
      if (line.text.trim() !== '') yield line;
    }
  }

  /** Reads all; for a short text. */
  *all(): Generator<LogLine, void> {
    if (this.#total > 0) this.load({ line: 1, offset: 0 }, 0, this.source.size);
    for (let n = 1; n <= this.#total; n++) {
      const line = this.get(n);
      if (line && line.text.trim() !== '') yield line;
    }
  }

  /** Reads that many bytes of the beginning and of the end, and returns their lines; of a shorter text, all. */
  *ends(headBytes: number, tailBytes: number): Generator<LogLine, void> {
    const isWhole = this.source.size <= headBytes + tailBytes;
    this.load({ line: 1, offset: 0 }, 0, isWhole ? this.source.size : headBytes);
    if (!isWhole) this.loadTail(tailBytes);
    let head = 1;
    for (let line = this.get(head); line; line = this.get(++head)) yield line;
    let tail = this.#total;
    while (tail > head && this.#lines.has(tail)) tail--;
    for (let n = tail + 1; n <= this.#total; n++) yield this.get(n)!;
  }

  /** The first `count` of `fromEnd`. */
  last(count: number): LogLine[] {
    const last: LogLine[] = [];
    for (const line of this.fromEnd()) {
      if (last.length === count) break;
      last.push(line);
    }
    return last;
  }

  /** Reads the last `bytes` bytes. */
  loadTail(bytes: number): void {
    const from = Math.max(0, this.source.size - bytes);
    const read = Buffer.allocUnsafe(this.source.size - from);
    const got = read.subarray(0, this.source.read(read, from));
    if (got.length < read.length) return;
    const ended = got.at(-1) === 10;
    if (!ended && got.length > 0) {
      const start = got.lastIndexOf(10) + 1;
      if (start === 0 && from > 0) return;
      this.#put(got, start, got.length, this.#total, from, false);
      this.#backward(got, start, this.#total, from);
    } else this.#backward(got, got.length, this.#total + 1, from);
  }

  #forward(bytes: Buffer, start: number, number: number, base: number): void {
    let at = start;
    let current = number;
    while (at < bytes.length && current <= this.#total) {
      const end = bytes.indexOf(10, at);
      if (end < 0) {
        const isLast = base + bytes.length >= this.source.size;
        if (isLast || current === number) this.#put(bytes, at, bytes.length, current, base, !isLast);
        return;
      }
      this.#put(bytes, at, end, current, base, false);
      at = end + 1;
      current++;
    }
  }

  /** Lines that end before `start`, where line `number` begins. */
  #backward(bytes: Buffer, start: number, number: number, base: number): void {
    let end = start - 1;
    let current = number - 1;
    while (end >= 0 && current > 0) {
      const before = end === 0 ? -1 : bytes.lastIndexOf(10, end - 1);
      if (before < 0 && base > 0) return;
      this.#put(bytes, before + 1, end, current, base, false);
      end = before;
      current--;
    }
  }

  #put(bytes: Buffer, start: number, end: number, number: number, base: number, isCut: boolean): void {
    const known = this.#lines.get(number);
    if (known && !known.isCut) return;
    const long = end - start > MOST_LINE_BYTES;
    const part = bytes.subarray(start, long ? start + MOST_LINE_BYTES : end);
    this.#lines.set(number, { offset: base + start, bytes: part, isCut: isCut || long });
  }
}

/** A line that nobody has asked for yet. */
interface Unread {
  readonly offset: number;
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

const HAS_CONTROLS = /[\x00-\x08\x0b-\x1f\x7f]/;
