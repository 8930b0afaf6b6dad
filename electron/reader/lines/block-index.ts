/**
 * The line index. For each 64 KiB block of a stream: the number of line ends before it, and which controls it may hold.
 * For each 1 MiB: the seams of its colours (controls.ts).
 *
 * Finding line n takes a binary search and a scan of one block; so does finding a byte's line. Without controls, a
 * block's bytes are its lines' text. 1 GiB costs 144 KiB, or 400 if it is coloured; appending changes the last block
 * and the last seams only. Entries are in shared memory, where workers read them. They never change, except that the
 * last block may get controls, and the last seams more of them.
 */
import { countFitting } from '../../../shared/line-set.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import { CONTROLS, type Controls, UNKNOWN_BYTE } from './controls.ts';
import {
  createNewlineCounter,
  LOOKAHEAD_BYTES,
  type NewlineCounter,
  type NewlineUnit,
  unitBytes,
} from './newlines.ts';

export const BLOCK_BYTES = 64 * 1024;
/** Entries in one chunk of shared memory, which is for 512 MiB of the stream. */
const CHUNK_ENTRIES = 8192;
/** In a chunk, a byte for each block's controls follows the counts. */
const CONTROLS_AT = CHUNK_ENTRIES * Float64Array.BYTES_PER_ELEMENT;
/** Bytes of the stream whose seams are kept together: what the counter (newlines.ts) takes at once. */
export const SEAMS_BYTES = 16 * BLOCK_BYTES;
/** For each of these, the number of different seams, then the seams. A text with more of them is rare. */
const SEAM_ENTRIES = 128;
const TOO_MANY_SEAMS = 0xffff;
const SEAMS_AT = CONTROLS_AT + CHUNK_ENTRIES;
const CHUNK_SEAMS = (CHUNK_ENTRIES * BLOCK_BYTES) / SEAMS_BYTES;
const CHUNK_BYTES = SEAMS_AT + CHUNK_SEAMS * SEAM_ENTRIES * Uint16Array.BYTES_PER_ELEMENT;

/** Facts about consecutive blocks; the first and last may be partial. */
export interface StretchCounts {
  /** Line ends in each block. */
  newlines: Uint32Array;
  /** One of `CONTROLS` for each block. */
  controls: Uint8Array;
  /** The seams in each SEAMS_BYTES of the stream. */
  seams: Uint16Array[];
}

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
  readonly #seams: Uint16Array[];
  #indexedBytes: number;
  #newlines: number;

  constructor(handle?: IndexHandle) {
    this.#chunks = handle ? [...handle.chunks] : [];
    this.#views = this.#chunks.map(countsOf);
    this.#controls = this.#chunks.map(controlsOf);
    this.#seams = this.#chunks.map(seamsOf);
    this.#indexedBytes = handle?.indexedBytes ?? 0;
    this.#newlines = handle?.newlines ?? 0;
  }

  get indexedBytes(): number {
    return this.#indexedBytes;
  }

  /** Line ends in them. */
  get newlines(): number {
    return this.#newlines;
  }

  /** Adds the next blocks of a stream of `size` bytes. The first and the last may be partial. */
  append({ newlines, controls, seams }: StretchCounts, size: number): void {
    const first = Math.floor(this.#indexedBytes / SEAMS_BYTES);
    for (const [i, count] of newlines.entries()) {
      const end = (Math.floor(this.#indexedBytes / BLOCK_BYTES) + 1) * BLOCK_BYTES;
      this.#appendBlock(Math.min(size, end) - this.#indexedBytes, count, controls[i]!);
    }
    for (const [i, some] of seams.entries()) this.#appendSeams(first + i, some);
  }

  #appendBlock(bytes: number, newlines: number, controls: number): void {
    const block = Math.floor(this.#indexedBytes / BLOCK_BYTES);
    if (this.#indexedBytes % BLOCK_BYTES === 0) this.#write(block, this.#newlines);
    const facts = this.#controls[Math.floor(block / CHUNK_ENTRIES)]!;
    facts[block % CHUNK_ENTRIES] = Math.max(controls, facts[block % CHUNK_ENTRIES]!);
    this.#indexedBytes += bytes;
    this.#newlines += newlines;
  }

  #appendSeams(nth: number, seams: Uint16Array): void {
    const known = this.#seamsAt(nth)!;
    for (const seam of seams) {
      const count = known[0]!;
      if (count === TOO_MANY_SEAMS || known.subarray(1, count + 1).includes(seam)) continue;
      if (count + 1 < SEAM_ENTRIES) known[count + 1] = seam;
      known[0] = count + 1 < SEAM_ENTRIES ? count + 1 : TOO_MANY_SEAMS;
    }
  }

  /**
   * Returns the seams (controls.ts) of the colours in the bytes `[start, end)`, which have no other controls; null if
   * there are too many.
   */
  seamsIn(start: number, end: number): Set<number> | null {
    const seams = new Set<number>();
    for (let nth = Math.floor(start / SEAMS_BYTES); nth * SEAMS_BYTES < end; nth += 1) {
      const known = this.#seamsAt(nth);
      if (!known || known[0] === TOO_MANY_SEAMS) return null;
      for (let i = 1; i <= known[0]!; i += 1) seams.add(known[i]!);
    }
    return seams;
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
    const blocks = Math.ceil(this.#indexedBytes / BLOCK_BYTES);
    return countFitting(blocks, (block) => this.before(block) < k) - 1;
  }

  handle(): IndexHandle {
    return { chunks: [...this.#chunks], indexedBytes: this.#indexedBytes, newlines: this.#newlines };
  }

  #seamsAt(nth: number): Uint16Array | undefined {
    const from = (nth % CHUNK_SEAMS) * SEAM_ENTRIES;
    return this.#seams[Math.floor(nth / CHUNK_SEAMS)]?.subarray(from, from + SEAM_ENTRIES);
  }

  #write(block: number, value: number): void {
    const chunk = Math.floor(block / CHUNK_ENTRIES);
    if (chunk === this.#chunks.length) {
      const memory = new SharedArrayBuffer(CHUNK_BYTES);
      this.#chunks.push(memory);
      this.#views.push(countsOf(memory));
      this.#controls.push(controlsOf(memory));
      this.#seams.push(seamsOf(memory));
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

function seamsOf(chunk: SharedArrayBuffer): Uint16Array {
  return new Uint16Array(chunk, SEAMS_AT, CHUNK_SEAMS * SEAM_ENTRIES);
}

// Counts line ends and detects controls in a stretch of a stream, block by block, for the index.

let counter: NewlineCounter | undefined;

/** Counts `[start, end)`. For UTF-16 text, only line ends. */
export function countStretch(
  stream: OpenStream,
  start: number,
  end: number,
  unit: NewlineUnit,
): StretchCounts {
  counter ??= createNewlineCounter();
  const { buffer } = counter;
  const blocks = Math.ceil(end / BLOCK_BYTES) - Math.floor(start / BLOCK_BYTES);
  const newlines = new Uint32Array(blocks);
  const controls = new Uint8Array(blocks).fill(CONTROLS.others);
  const seams: Uint16Array[] = [];
  let run = 0;
  counter.precede(UNKNOWN_BYTE);
  // Begin with a whole unit: the stretch before may have ended inside one (a block's end never splits a unit).
  for (let position = start - (start % unitBytes(unit)); position < end; ) {
    // Read up to where the next seams begin, so that every buffer but the last holds whole blocks, plus the lookahead
    // for a sequence.
    const stop = Math.min(end, (Math.floor(position / SEAMS_BYTES) + 1) * SEAMS_BYTES);
    const length = stop - position;
    const read = stream.read(buffer.subarray(0, length + LOOKAHEAD_BYTES), position);
    buffer.fill(UNKNOWN_BYTE, read, length + LOOKAHEAD_BYTES);
    let coloured = false;
    for (let at = 0; at < length; ) {
      const blockEnd = Math.floor((position + at) / BLOCK_BYTES + 1) * BLOCK_BYTES - position;
      const to = Math.min(length, blockEnd);
      if (unit === 'byte') {
        const look = counter.look(at, to);
        newlines[run] = look.newlines;
        controls[run] = look.controls;
        coloured ||= look.controls !== CONTROLS.none;
      } else newlines[run] = counter.count(at, to, unit);
      run += 1;
      at = to;
    }
    // Not one empty array for all: posting a result gives its arrays away.
    seams.push(coloured ? counter.takeSeams() : new Uint16Array());
    counter.precede(buffer[length - 1]!);
    position = stop;
  }
  return { newlines, controls, seams };
}
