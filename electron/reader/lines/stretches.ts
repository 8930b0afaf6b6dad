/**
 * Cuts a stream into stretches that can be summarised or searched on their own, in any order. Stretches meet at line ends, found
 * with the index alone; only a line that is longer than a stretch is cut in its middle.
 */
import { BLOCK_BYTES, type BlockIndex } from './block-index.ts';

/** A place to cut: after the first line end at or behind a block's start, or at the block's start itself (inside a long line). */
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

/** How long stretches are, in blocks. Each is twice as long as the one before it, from `first` to `most`. */
export interface StretchSizes {
  readonly first: number;
  readonly most: number;
}

/** One task, some tens of milliseconds of a thread. */
const USUAL: StretchSizes = { first: (4 * 1024 * 1024) / BLOCK_BYTES, most: (4 * 1024 * 1024) / BLOCK_BYTES };

/** The index must cover the stream. */
export function planStretches(index: BlockIndex, { first, most }: StretchSizes = USUAL): Stretch[] {
  const blocks = Math.ceil(index.indexedBytes / BLOCK_BYTES);
  const cuts: Cut[] = [];
  let size = Math.min(most, first * 2);
  for (let block = first; block < blocks; block += size, size = Math.min(most, size * 2)) {
    const newlinesBefore = index.before(block);
    const next = newlinesBefore < index.newlines ? index.blockOf(newlinesBefore + 1) : blocks;
    // The next line end is in this stretch: cut behind it. Otherwise the line goes on past the next cut as well.
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
