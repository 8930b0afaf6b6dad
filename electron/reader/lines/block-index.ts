/**
 * The line index. For each 64 KiB block of a stream: the number of line ends before it, and which controls it may hold.
 *
 * Finding line n takes a binary search and a scan of one block; so does finding a byte's line. Without controls, a
 * block's bytes are its lines' text. 1 GiB costs 144 KiB; appending changes the last block only. Entries are in shared
 * memory, where workers read them. They never change, except that the last block may get controls.
 */
import { CONTROLS, type Controls } from './controls.ts';

export const BLOCK_BYTES = 64 * 1024;
/** Entries in one chunk of shared memory: 72 KiB, for 512 MiB of stream. */
const CHUNK_ENTRIES = 8192;
/** In a chunk, a byte for each block's controls follows the counts. */
const CONTROLS_AT = CHUNK_ENTRIES * Float64Array.BYTES_PER_ELEMENT;

/** An index to post to a worker. */
export interface IndexHandle {
  readonly chunks: readonly SharedArrayBuffer[];
  readonly indexedBytes: number;
  readonly newlines: number;
}

export class BlockIndex {
  readonly #chunks: SharedArrayBuffer[];
  readonly #views: Float64Array[];
  readonly #controls: Uint8Array[];
  #indexedBytes: number;
  #newlines: number;

  constructor(handle?: IndexHandle) {
    this.#chunks = handle ? [...handle.chunks] : [];
    this.#views = this.#chunks.map(countsOf);
    this.#controls = this.#chunks.map(controlsOf);
    this.#indexedBytes = handle?.indexedBytes ?? 0;
    this.#newlines = handle?.newlines ?? 0;
  }

  /** Bytes indexed so far. */
  get indexedBytes(): number {
    return this.#indexedBytes;
  }

  /** Line ends in them. */
  get newlines(): number {
    return this.#newlines;
  }

  /** Adds the next bytes of the stream, which must not cross the end of a block; `controls` is one of `CONTROLS`. */
  append(bytes: number, newlines: number, controls: number): void {
    const block = Math.floor(this.#indexedBytes / BLOCK_BYTES);
    if (Math.floor((this.#indexedBytes + bytes - 1) / BLOCK_BYTES) !== block) {
      throw new RangeError('a run of bytes may not cross the end of its block');
    }
    if (this.#indexedBytes % BLOCK_BYTES === 0) this.#write(block, this.#newlines);
    const facts = this.#controls[Math.floor(block / CHUNK_ENTRIES)]!;
    facts[block % CHUNK_ENTRIES] = Math.max(controls, facts[block % CHUNK_ENTRIES]!);
    this.#indexedBytes += bytes;
    this.#newlines += newlines;
  }

  /** Line ends before the block. */
  before(block: number): number {
    if (block * BLOCK_BYTES >= this.#indexedBytes) return this.#newlines;
    return this.#views[Math.floor(block / CHUNK_ENTRIES)]![block % CHUNK_ENTRIES]!;
  }

  /** Returns which controls the bytes `[start, end)` may hold. */
  controlsIn(start: number, end: number): Controls {
    let most: number = CONTROLS.none;
    for (let block = Math.floor(start / BLOCK_BYTES); block * BLOCK_BYTES < end; block += 1) {
      const facts = this.#controls[Math.floor(block / CHUNK_ENTRIES)];
      most = Math.max(most, facts?.[block % CHUNK_ENTRIES] ?? CONTROLS.others);
    }
    return most as Controls;
  }

  /** Returns the block that holds line end number `k` (from 1, at most `newlines`). */
  blockOf(k: number): number {
    let low = 0;
    let high = Math.ceil(this.#indexedBytes / BLOCK_BYTES) - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.before(middle) < k) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  handle(): IndexHandle {
    return { chunks: [...this.#chunks], indexedBytes: this.#indexedBytes, newlines: this.#newlines };
  }

  #write(block: number, value: number): void {
    const chunk = Math.floor(block / CHUNK_ENTRIES);
    if (chunk === this.#chunks.length) {
      const memory = new SharedArrayBuffer(CONTROLS_AT + CHUNK_ENTRIES);
      this.#chunks.push(memory);
      this.#views.push(countsOf(memory));
      this.#controls.push(controlsOf(memory));
    }
    this.#views[chunk]![block % CHUNK_ENTRIES] = value;
  }
}

function countsOf(chunk: SharedArrayBuffer): Float64Array {
  return new Float64Array(chunk, 0, CHUNK_ENTRIES);
}

function controlsOf(chunk: SharedArrayBuffer): Uint8Array {
  return new Uint8Array(chunk, CONTROLS_AT, CHUNK_ENTRIES);
}
