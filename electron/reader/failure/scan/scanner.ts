/**
 * Watches output as it streams by. No expression runs here: it counts hashes of shapes and words in bounded
 * tables (about 8 MB when full; pages that are never used cost nothing). `explain.ts` reads the places again
 * that stand out.
 */
import { Buffer } from 'node:buffer';
import { Steps } from '../../sections/steps.ts';
import { scanLines } from './scan-lines.ts';
import { FailureShapes } from './shape-table.ts';
import { tokenHash } from './tokens.ts';

/** Bytes kept of a line that began in an earlier chunk. */
const CARRY_BYTES = 4096;

export class FailureScanner {
  readonly shapes: FailureShapes;
  readonly steps = new Steps();
  hasColumns = false;
  /** How often words came, by the end of their hash. */
  readonly wordCounts = new Uint8Array(1 << 16);
  /** Lines so far, and where the next one begins. */
  lines = 0;
  offset = 0;
  #carry: Buffer | null = null;
  #carried = 0;
  /** Bytes of the carried line that were not kept. */
  #skipped = 0;

  /** Where no more than `bytes` are to come, tables are smaller. */
  constructor(bytes = Number.POSITIVE_INFINITY) {
    this.shapes = new FailureShapes(tableSize(bytes));
  }

  /** Takes the next bytes. Their memory may be used again afterwards. */
  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    if (this.#carried > 0) {
      const end = bytes.indexOf(10);
      this.#keep(bytes.subarray(0, end < 0 ? bytes.length : end));
      if (end < 0) return;
      this.#endCarried(1);
      from = end + 1;
    }
    const last = bytes.lastIndexOf(10);
    if (last >= from) scanLines(bytes, from, last + 1, this);
    const rest = Math.max(from, last + 1);
    if (rest < bytes.length) this.#keep(bytes.subarray(rest));
  }

  /** Skips the text before `offset`, where a line begins. `lines` lines end before it. */
  skipTo(offset: number, lines: number): void {
    this.offset = offset;
    this.lines = lines;
    this.#carried = this.#skipped = 0;
  }

  /** How often a word came, at least; other words may have added to it. */
  wordCount(word: string): number {
    const hash = tokenHash(word);
    return this.wordCounts[(hash ^ (hash >>> 16)) & 0xffff]!;
  }

  /** Takes a last line that has no line end. */
  finish(): void {
    if (this.#carried > 0) this.#endCarried(0);
  }

  #keep(part: Buffer): void {
    this.#carry ??= Buffer.allocUnsafe(CARRY_BYTES + 1);
    const taken = part.copy(
      this.#carry,
      this.#carried,
      0,
      Math.min(part.length, CARRY_BYTES - this.#carried),
    );
    this.#carried += taken;
    this.#skipped += part.length - taken;
  }

  #endCarried(lineEnd: number): void {
    const skipped = this.#skipped;
    this.#carry![this.#carried] = 10;
    const to = this.#carried + 1;
    this.#carried = this.#skipped = 0;
    scanLines(this.#carry!, 0, to, this);
    this.offset += skipped + lineEnd - 1;
  }
}

const MOST_ENTRIES = 1 << 16;
const FEWEST_ENTRIES = 1 << 9;

/** Room for twice as many shapes as there can well be. */
function tableSize(bytes: number): number {
  let size = FEWEST_ENTRIES;
  while (size < MOST_ENTRIES && size * 8 < bytes) size *= 2;
  return size;
}
