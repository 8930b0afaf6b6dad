/**
 * Divides a stream into stretches that can be summarised or searched separately, in any order. Stretches meet at line
 * ends, found with the index alone; only a line longer than a stretch is divided.
 */
import { BLOCK_BYTES, type BlockIndex } from './block-index.ts';

/** A cut: after the first line end in a block, or at the block's start (inside a long line). */
export interface Cut {
  readonly block: number;
  readonly at: 'line' | 'block';
}

export interface Stretch {
  /** Null is the stream's beginning. */
  readonly start: Cut | null;
  /** Null is the stream's end. */
  readonly end: Cut | null;
}

/** Lengths of stretches in blocks. Each is twice as long as the one before, from `first` to `most`. */
export interface StretchSizes {
  readonly first: number;
  readonly most: number;
}

/** A task of a few tens of milliseconds. */
const DEFAULT_SIZES: StretchSizes = {
  first: (4 * 1024 * 1024) / BLOCK_BYTES,
  most: (4 * 1024 * 1024) / BLOCK_BYTES,
};

/** Plans stretches while a stream is being indexed. The result does not depend on how often it is asked meanwhile. */
export class StretchPlan {
  readonly #most: number;
  #size: number;
  /** First block for the next cut. */
  #block: number;
  #last: Cut | null = null;

  constructor({ first, most }: StretchSizes = DEFAULT_SIZES) {
    this.#most = most;
    this.#block = first;
    this.#size = Math.min(most, first * 2);
  }

  /** Returns the next stretches that end within the first `bytes` bytes, which are indexed. */
  upTo(index: BlockIndex, bytes: number): Stretch[] {
    return this.#cut(index, Math.floor(bytes / BLOCK_BYTES), false);
  }

  /** Returns the remaining stretches once the whole stream of `bytes` bytes is indexed. */
  rest(index: BlockIndex, bytes: number): Stretch[] {
    return [...this.#cut(index, Math.ceil(bytes / BLOCK_BYTES), true), { start: this.#last, end: null }];
  }

  #cut(index: BlockIndex, blocks: number, isWhole: boolean): Stretch[] {
    const stretches: Stretch[] = [];
    const isKnown = () => (isWhole ? this.#block < blocks : this.#block + this.#size <= blocks);
    for (; isKnown(); this.#block += this.#size, this.#size = Math.min(this.#most, this.#size * 2)) {
      const newlinesBefore = index.before(this.#block);
      const next = newlinesBefore < index.newlines ? index.blockOf(newlinesBefore + 1) : blocks;
      // Cut after the next line end if it is in this stretch; otherwise the line continues past the next cut too.
      const isNear = next < Math.min(blocks, this.#block + this.#size);
      const end: Cut = isNear ? { block: next, at: 'line' } : { block: this.#block, at: 'block' };
      if (isNear && this.#last?.at === 'line' && this.#last.block === next) continue;
      stretches.push({ start: this.#last, end });
      this.#last = end;
    }
    return stretches;
  }
}

/** The index must cover the stream. */
export function planStretches(index: BlockIndex, sizes?: StretchSizes): Stretch[] {
  return new StretchPlan(sizes).rest(index, index.indexedBytes);
}
