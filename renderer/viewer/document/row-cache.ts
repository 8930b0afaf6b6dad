/** A cache of fetched blocks of rows that drops the least recently used. Rows count from 0 here. */
import type { Row } from '../../../shared/api/rows.ts';
import { ROWS_PER_BLOCK } from '../../../shared/limits.ts';

/** 64 blocks are 32,768 rows: some 20 MB of usual text. */
export const MAX_CACHED_BLOCKS = 64;

interface Block<R> {
  rows: readonly R[];
  /** False if growth may change it: it was not full, or had the last line. */
  final: boolean;
  /** Shown until its replacement arrives. */
  stale: boolean;
}

export class RowCache<R = Row> {
  readonly #blocks = new Map<number, Block<R>>();
  readonly #capacity: number;

  constructor(capacity: number = MAX_CACHED_BLOCKS) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#blocks.size;
  }

  row(index: number): R | undefined {
    return this.#blocks.get(blockOf(index))?.rows[index % ROWS_PER_BLOCK];
  }

  /** Whether the block need not be fetched. */
  has(block: number): boolean {
    const found = this.#blocks.get(block);
    return found !== undefined && !found.stale;
  }

  /** `stale`: shown, but (or its rest) to be fetched again. */
  put(block: number, rows: readonly R[], final: boolean, stale = false): void {
    this.#blocks.delete(block);
    this.#blocks.set(block, { rows, final, stale });
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= this.#capacity) break;
      this.#blocks.delete(oldest);
    }
  }

  /** Marks the block as just used. */
  touch(block: number): void {
    const found = this.#blocks.get(block);
    if (!found) return;
    this.#blocks.delete(block);
    this.#blocks.set(block, found);
  }

  /**
   * Marks blocks that may be incomplete as stale, after the stream grew or more lines were counted. Counting changes no
   * bytes, so it affects only blocks with missing rows.
   */
  grew(bytesGrew: boolean, totalLines: number): void {
    for (const [index, block] of this.#blocks) {
      if (block.final) continue;
      const end = index * ROWS_PER_BLOCK + block.rows.length;
      const missesRows = block.rows.length < ROWS_PER_BLOCK && end < totalLines;
      if (bytesGrew || missesRows) block.stale = true;
    }
  }

  clear(): void {
    this.#blocks.clear();
  }

  /** Returns the number of rows from the start that are known to exist, as they are cached. */
  knownRows(): number {
    let known = 0;
    for (const [index, block] of this.#blocks) {
      if (block.rows.length > 0) known = Math.max(known, index * ROWS_PER_BLOCK + block.rows.length);
    }
    return known;
  }
}

export function blockOf(index: number): number {
  return Math.floor(index / ROWS_PER_BLOCK);
}
