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
  turns: { value: number };
  open: { value: number };
  lineEnds(at: number, end: number, to: number): number;
  early(...numbers: number[]): number;
}

/** Bytes on which it is tried first. */
export const TRIAL_BYTES = 16 * 1024;
/**
 * Costs of reading a byte and of ending a line, as multiples of what lanes take for a byte. Fitted to expressions for
 * which both ways take about the same time. Where lanes are fastest, the true costs are up to 1.7 times these.
 */
const COST = { byte: 1.5, line: 11, byteInTurns: 0.4, lineInTurns: 5 };
/** Cost of an empty line that matches, if lanes read it: two ends in one step of two bytes are not in the rows. */
const EMPTY_LINE = 60;

/** Most bytes of a line that are read in turns with three others, and at first beyond what lines took without turns. */
const AHEAD_BYTES = { most: 120, beyond: 2 };
/** If a larger share of lines has no outcome after turns, these read more bytes. */
const MOST_OPEN = 0.25;
/** After so many blocks fewer bytes are tried once. */
const TRY_FEWER_BLOCKS = 64;

/** How a block was read. */
interface EarlyWork {
  /** Bytes that were read of single lines. */
  read: number;
  /** Lines of which `ahead` bytes were read in turns. */
  turns: number;
  /** Lines among `turns` that had no outcome then. */
  open: number;
  lines: number;
  matches: number;
  bytes: number;
}

export class EarlyTrial {
  #skipped = 0;
  #ahead = 0;
  #blocks = 0;
  /** Last cost of a block, as a multiple of what lanes take. */
  #cost = Number.POSITIVE_INFINITY;

  /** Bytes of a line to read in turns with three others: a multiple of four, about as many as most lines need. */
  get ahead(): number {
    return this.#ahead;
  }

  /** Tells how much of the next block to read this way, if another way costs `limit` times what lanes take. */
  next(limit: number): 'nothing' | 'trial' | 'block' {
    if (this.#skipped === 0) return this.#cost < limit ? 'block' : 'trial';
    this.#skipped -= 1;
    return 'nothing';
  }

  tell({ read, turns, open, lines, matches, bytes }: EarlyWork, limit: number): void {
    // A line that is not empty takes two bytes.
    const empty = Math.max(0, Math.min(matches, 2 * lines - bytes));
    const alone = read * COST.byte + (lines - turns + open) * COST.line - empty * EMPTY_LINE;
    this.#cost = (alone + turns * (this.#ahead * COST.byteInTurns + COST.lineInTurns)) / bytes;
    if (this.#cost >= limit) this.#skipped = SKIPPED_BLOCKS;
    this.#adapt(turns > 0 ? open / turns : null, read / Math.max(1, lines));
  }

  /** Adapts what is read in turns: `open` is the share of lines without an outcome then, null if none was read so. */
  #adapt(open: number | null, bytesEach: number): void {
    let ahead = this.#ahead;
    if (open === null) ahead = 4 * Math.ceil((bytesEach + AHEAD_BYTES.beyond) / 4);
    else if (open > MOST_OPEN) ahead += 4;
    else if (++this.#blocks % TRY_FEWER_BLOCKS === 0) ahead -= 4;
    this.#ahead = Math.min(AHEAD_BYTES.most, Math.max(4, ahead));
  }
}
