/**
 * Decides when to read lines only until their outcome is known (early.wat). That takes some time for each line, and
 * more for each byte read than lanes take.
 */

import { SKIPPED_BLOCKS } from '../memory.ts';

/** The exports of early.wat. */
export interface EarlyExports {
  place: { value: number };
  state: { value: number };
  out: { value: number };
  read: { value: number };
  lineEnds(at: number, end: number, to: number): number;
  early(...numbers: number[]): number;
}

/** Bytes on which it is tried first. */
export const TRIAL_BYTES = 16 * 1024;
/**
 * Costs of reading a byte and of ending a line, as multiples of what lanes take for a byte. Fitted to expressions for
 * which both ways take about the same time. Where lanes are fastest, the true costs are up to 1.7 times these.
 */
const COST = { byte: 1.5, line: 11 };
/** Cost of an empty line that matches, if lanes read it: two ends in one step of two bytes are not in the rows. */
const EMPTY_LINE = 60;

export class EarlyTrial {
  #skipped = 0;
  /** Last cost of a block, as a multiple of what lanes take. */
  #cost = Number.POSITIVE_INFINITY;

  /** Tells how much of the next block to read this way, if another way costs `limit` times what lanes take. */
  next(limit: number): 'nothing' | 'trial' | 'block' {
    if (this.#skipped === 0) return this.#cost < limit ? 'block' : 'trial';
    this.#skipped -= 1;
    return 'nothing';
  }

  /** Tells how many of `bytes` bytes were read, in so many lines, of which so many match. */
  tell(read: number, lines: number, matches: number, bytes: number, limit: number): void {
    // A line that is not empty takes two bytes.
    const empty = Math.max(0, Math.min(matches, 2 * lines - bytes));
    this.#cost = (read * COST.byte + lines * COST.line - empty * EMPTY_LINE) / bytes;
    if (this.#cost >= limit) this.#skipped = SKIPPED_BLOCKS;
  }
}
