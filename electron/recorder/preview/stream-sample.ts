/**
 * Keeps a stream's beginning and end in memory: enough to cut previews from when nothing could be stored, and to tell
 * its content type. Bounded, whatever the stream's size.
 */

import type { StreamCounts } from '../streams/concluded.ts';

/** Bytes of the head, and of the tail. Redrawn lines take many times more than the text they show. */
export const SAMPLE_BYTES = 256 * 1024;

export interface Sample {
  /** The first bytes. */
  head: Buffer;
  /** If the head ends within a line that has ended: the last bytes of that line; else null. */
  headLineEnd: Buffer | null;
  /** The last bytes. In a stream no larger than both, head and tail overlap or touch. */
  tail: Buffer;
  totalBytes: number;
  /** Line ends. */
  newlines: number;
}

export class StreamSample {
  readonly #limit: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  /** Two halves used in turn: the older is full, the newer is being filled. */
  #older: Buffer | null = null;
  #newer: Buffer | null = null;
  #newerBytes = 0;
  #lineEnd: Buffer = Buffer.alloc(0);
  #lineEnded = false;

  /** `limit`: bytes of the beginning that are kept. */
  constructor(limit = SAMPLE_BYTES) {
    this.#limit = limit;
  }

  /** The chunk's memory may be used again afterwards. */
  push(chunk: Uint8Array): void {
    const room = this.#limit - this.#headBytes;
    if (room > 0) {
      const part = Buffer.from(chunk.subarray(0, room));
      this.#head.push(part);
      this.#headBytes += part.length;
    }
    if (room >= chunk.length) return;
    const rest = room > 0 ? chunk.subarray(room) : chunk;
    if (!this.#lineEnded) this.#followLine(rest);
    this.#keepTail(rest);
  }

  /** Restores the sample of a stream of `total` bytes from its first bytes. */
  resume(head: Buffer, total: number): void {
    this.#head.push(head);
    this.#headBytes = total > head.length ? this.#limit : head.length;
  }

  /** The first bytes, SAMPLE_BYTES or so. */
  head(): Buffer {
    return this.#head.length === 1 ? this.#head[0]! : Buffer.concat(this.#head);
  }

  take(counts: Pick<StreamCounts, 'bytes' | 'newlines'>): Sample {
    const head = this.head();
    const newer = this.#newer?.subarray(0, this.#newerBytes) ?? Buffer.alloc(0);
    const tail = this.#older === null ? newer : Buffer.concat([this.#older, newer]);
    return {
      head,
      headLineEnd: this.#lineEnded ? this.#lineEnd : null,
      tail,
      totalBytes: counts.bytes,
      newlines: counts.newlines,
    };
  }

  /** Keeps the last bytes of the line in which the head ends: the last redraw counts. */
  #followLine(rest: Uint8Array): void {
    const end = Buffer.prototype.indexOf.call(rest, 10);
    const part = end < 0 ? rest : rest.subarray(0, end);
    const kept = Buffer.concat([this.#lineEnd, part.subarray(Math.max(0, part.length - LINE_BYTES))]);
    this.#lineEnd = kept.subarray(Math.max(0, kept.length - LINE_BYTES));
    this.#lineEnded = end >= 0;
  }

  #keepTail(rest: Uint8Array): void {
    let at = Math.max(0, rest.length - 2 * SAMPLE_BYTES);
    while (at < rest.length) {
      if (this.#newer === null || this.#newerBytes === SAMPLE_BYTES) {
        const free = this.#older ?? Buffer.allocUnsafe(SAMPLE_BYTES);
        this.#older = this.#newer;
        this.#newer = free;
        this.#newerBytes = 0;
      }
      const part = rest.subarray(at, at + SAMPLE_BYTES - this.#newerBytes);
      this.#newer.set(part, this.#newerBytes);
      this.#newerBytes += part.length;
      at += part.length;
    }
  }
}

/** Bytes kept of the end of a long line. */
const LINE_BYTES = 64 * 1024;
