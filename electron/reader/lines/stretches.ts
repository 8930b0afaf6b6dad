/**
 * Divides a stream into stretches that can be summarised or searched separately, in any order. Stretches meet at line
 * ends, found with the index alone; only a line longer than a stretch is divided.
 */
import { BLOCK_BYTES, type BlockIndex } from './block-index.ts';

/** A cut: behind the first line end in a block, or at the block's start (inside a long line). */
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

/** One task of a few tens of milliseconds. */
const DEFAULT_SIZES: StretchSizes = {
  first: (4 * 1024 * 1024) / BLOCK_BYTES,
  most: (4 * 1024 * 1024) / BLOCK_BYTES,
};

/** The index must cover the stream. */
export function planStretches(index: BlockIndex, { first, most }: StretchSizes = DEFAULT_SIZES): Stretch[] {
  const blocks = Math.ceil(index.indexedBytes / BLOCK_BYTES);
  const cuts: Cut[] = [];
  let size = Math.min(most, first * 2);
  for (let block = first; block < blocks; block += size, size = Math.min(most, size * 2)) {
    const newlinesBefore = index.before(block);
    const next = newlinesBefore < index.newlines ? index.blockOf(newlinesBefore + 1) : blocks;
    // Cut behind the next line end if it is in this stretch; otherwise the line continues past the next cut too.
    const last = cuts.at(-1);
    if (next < Math.min(blocks, block + size)) {
      if (last?.at !== 'line' || last.block !== next) cuts.push({ block: next, at: 'line' });
    } else {
      cuts.push({ block, at: 'block' });
    }
  }
  const edges: (Cut | null)[] = [null, ...cuts, null];
  return edges.slice(1).map((end, i) => ({ start: edges[i]!, end }));
}
