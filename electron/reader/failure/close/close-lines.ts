/**
 * Takes the beginning and the end of a stored text apart into the pieces of each line, hashed. It works on bytes, as it
 * runs once after a command, when nothing of it is compiled yet.
 */

import { Buffer } from 'node:buffer';
import { LF } from '../../../../shared/text/codes.ts';
import type { FailureText } from '../log-lines.ts';
import { LineSplitter } from './line-splitter.ts';

/** A longer text is read at its beginning and its end alone. */
const HEAD_BYTES = 96 * 1024;
const TAIL_BYTES = 160 * 1024;

export class CloseLines {
  count = 0;
  /** By line: its number, where it begins, and where its pieces and words begin. */
  readonly numbers: number[] = [];
  readonly offsets: number[] = [];
  readonly splitter: LineSplitter;
  readonly pieceStarts: number[] = [];
  readonly wordStarts: number[] = [];
  /** Hash of the classes of a line's pieces, and of its first ones. */
  readonly kinds: number[] = [];
  readonly leads: number[] = [];
  /** Number of lines from the beginning; lines from the end follow in the same numbering. */
  #headLines = 0;

  constructor(text: FailureText, totalLines: number) {
    const isWhole = text.size <= HEAD_BYTES + TAIL_BYTES;
    const head = read(text, 0, isWhole ? text.size : HEAD_BYTES);
    const tail = isWhole ? head.subarray(0, 0) : read(text, text.size - TAIL_BYTES, text.size);
    this.splitter = new LineSplitter(head.length + tail.length);
    const headEnd = isWhole ? head.length : head.lastIndexOf(LF) + 1;
    this.#take(head.subarray(0, headEnd), 0, 1);
    this.#headLines = this.count;
    const rest = tail.subarray(tail.indexOf(LF) + 1);
    if (rest.length > 0) this.#take(rest, text.size - rest.length, totalLines + 1 - linesIn(rest));
  }

  /** Index of a line by its number, or -1. */
  indexOf(number: number): number {
    if (number <= this.#headLines) return number - 1;
    const index = this.#headLines + number - (this.numbers[this.#headLines] ?? Number.POSITIVE_INFINITY);
    return index >= this.#headLines && index < this.count ? index : -1;
  }

  /** Where the words of a line begin and end. */
  wordsOf(index: number): [from: number, to: number] {
    return [this.wordStarts[index]!, this.wordStarts[index + 1] ?? this.splitter.wordCount];
  }

  #take(bytes: Buffer, base: number, firstLine: number): void {
    const { splitter } = this;
    let number = firstLine;
    for (let at = 0; at < bytes.length; number++) {
      const next = bytes.indexOf(LF, at);
      const end = next < 0 ? bytes.length : next;
      this.count++;
      this.numbers.push(number);
      this.offsets.push(base + at);
      this.pieceStarts.push(splitter.pieceCount);
      this.wordStarts.push(splitter.wordCount);
      splitter.split(bytes, at, end);
      this.kinds.push(splitter.kind);
      this.leads.push(splitter.lead);
      at = end + 1;
    }
  }
}

function read(text: FailureText, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  return bytes.subarray(0, text.read(bytes, from));
}

/** A last line without a line end counts. */
function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return bytes.at(-1) === LF ? count : count + 1;
}
