/**
 * Compares lines that are built alike, piece by piece: in a column that mostly repeats a few values, another one stands
 * out; in a column where each line has its own, so does one that comes twice.
 */

import { HashCounts } from '../scan/hash-slots.ts';
import { FACTOR } from '../scan/line-bytes.ts';
import type { CloseLines } from './close-lines.ts';

/** How a line's columns differ from those of lines with the same structure; each from 0 to 1. */
export interface ColumnSigns {
  /** How rare its rarest value is in a column that mostly repeats. */
  readonly rare: number;
  /** The same of its second rarest. */
  readonly alsoRare: number;
  /** It repeats a value where others don't. */
  readonly twice: number;
  /** As `rare`, where the lines before and after agree. */
  readonly departs: number;
  /** How rare its first words are among lines that begin alike. */
  readonly lead: number;
}

export const NO_SIGNS: ColumnSigns = { rare: 0, alsoRare: 0, twice: 0, departs: 0, lead: 0 };

/** Returns one figure for all signs. */
export function unlikeness({ rare, twice, departs, lead }: ColumnSigns): number {
  return Math.max(rare, 0.6 * lead) + 0.4 * twice + departs;
}

const LEAST_LINES = 5;
const MOST_COLUMNS = 64;
const LEAD_COLUMNS = 3;
/** So many bits of rarity count in full. */
const FULL_BITS = 9;
/** In a column with a smaller share of different values, lines agree. */
const AGREEING_SHARE = 0.2;
/** In a column with a larger one, each line has its own. */
const OWN_SHARE = 0.85;
const LEAST_OWN_LINES = 8;
const MOST_TWICE = 3;

/** By index of the line. */
export function compareColumns(close: CloseLines): ColumnSigns[] {
  return new Columns(close).signs();
}

class Columns {
  readonly #close: CloseLines;
  readonly #pieces: Int32Array;
  /** Lines of a kind, values of a column, lines with a value. */
  readonly #lines: HashCounts;
  readonly #values: HashCounts;
  readonly #times: HashCounts;

  constructor(close: CloseLines) {
    this.#close = close;
    this.#pieces = close.splitter.pieces;
    const pieces = close.splitter.pieceCount;
    this.#lines = new HashCounts(close.count * 2);
    this.#values = new HashCounts(pieces + close.count * LEAD_COLUMNS);
    this.#times = new HashCounts(pieces + close.count * LEAD_COLUMNS);
  }

  signs(): ColumnSigns[] {
    const { count, kinds, leads } = this.#close;
    const before = new Int32Array(count).fill(-1);
    const behind = new Int32Array(count).fill(-1);
    const last = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      const previous = last.get(kinds[i]!);
      if (previous !== undefined) {
        before[i] = previous;
        behind[previous] = i;
      }
      last.set(kinds[i]!, i);
      this.#count(i, kinds[i]!, MOST_COLUMNS);
      if (leads[i] !== 0) this.#count(i, leads[i]! ^ IS_LEAD, LEAD_COLUMNS);
    }
    return Array.from({ length: count }, (_, i) => this.#signsOf(i, before[i]!, behind[i]!));
  }

  #width(i: number): number {
    const { pieceStarts, splitter } = this.#close;
    return (pieceStarts[i + 1] ?? splitter.pieceCount) - pieceStarts[i]!;
  }

  #count(i: number, kind: number, most: number): void {
    this.#lines.add(kind);
    const start = this.#close.pieceStarts[i]!;
    const width = Math.min(most, this.#width(i));
    for (let c = 0; c < width; c++) {
      const piece = this.#pieces[start + c]!;
      if (piece === 0) continue;
      const column = columnOf(kind, c);
      if (this.#times.add(column ^ piece) === 1) this.#values.add(column);
    }
  }

  #signsOf(i: number, before: number, behind: number): ColumnSigns {
    const { kinds, leads, pieceStarts } = this.#close;
    const kind = kinds[i]!;
    const lines = this.#lines.of(kind);
    const start = pieceStarts[i]!;
    let rare = 0;
    let alsoRare = 0;
    let twice = 0;
    let departs = 0;
    if (lines >= LEAST_LINES) {
      const width = Math.min(MOST_COLUMNS, this.#width(i));
      for (let c = 0; c < width; c++) {
        const piece = this.#pieces[start + c]!;
        if (piece === 0) continue;
        const column = columnOf(kind, c);
        const values = this.#values.of(column);
        if (values === 1) continue;
        const times = this.#times.of(column ^ piece);
        const own = values / lines;
        if (own > OWN_SHARE) {
          if (times > 1 && times <= MOST_TWICE && lines >= LEAST_OWN_LINES) twice = 1;
          continue;
        }
        const bits = Math.log2(lines / times) * (1 - own) ** 2;
        if (bits > rare) {
          alsoRare = rare;
          rare = bits;
        } else if (bits > alsoRare) alsoRare = bits;
        if (before < 0 || behind < 0 || own >= AGREEING_SHARE) continue;
        const other = this.#pieces[pieceStarts[before]! + c]!;
        if (other !== piece && other === this.#pieces[pieceStarts[behind]! + c]) departs = 1;
      }
    }
    const lead = leads[i] === 0 ? 0 : this.#leadOf(start, leads[i]! ^ IS_LEAD);
    if (rare === 0 && twice === 0 && lead === 0) return NO_SIGNS;
    rare = Math.min(1, rare / FULL_BITS);
    return { rare, alsoRare: Math.min(1, alsoRare / FULL_BITS), twice, departs: departs * rare, lead };
  }

  #leadOf(start: number, kind: number): number {
    const lines = this.#lines.of(kind);
    if (lines < LEAST_LINES) return 0;
    let rare = 0;
    for (let c = 0; c < LEAD_COLUMNS; c++) {
      const piece = this.#pieces[start + c]!;
      if (piece === 0) continue;
      const column = columnOf(kind, c);
      const values = this.#values.of(column);
      if (values > 1)
        rare = Math.max(rare, Math.log2(lines / this.#times.of(column ^ piece)) * (1 - values / lines) ** 2);
    }
    return Math.min(1, rare / FULL_BITS);
  }
}

const IS_LEAD = 0x2545f491;

function columnOf(kind: number, column: number): number {
  return Math.imul(Math.imul(kind ^ (column + 1), FACTOR) ^ (kind >>> 13), 0x5bd1e995);
}
