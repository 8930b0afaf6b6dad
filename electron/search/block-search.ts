/**
 * Searches blocks: literals first, then the automaton, then line text. Each decides what the one before left open.
 */
import { eventOf, placeOf, type Rows } from './automaton/rows.ts';
import { EVENT } from './automaton/transitions.ts';
import type { Block } from './blocks.ts';
import { type LineJudge, textOfLine } from './lines/line-judge.ts';
import type { LiteralSearch } from './literals/literal-search.ts';
import { AT, STEP_BYTES } from './memory.ts';
import { CONTROLS, type Found } from './scanner/scanner.ts';
import type { Workspace } from './workspace.ts';

export interface Means {
  /** The bytes are the text, rather than line text. */
  raw: boolean;
  /** Null if the expression has no automaton. */
  rows: Rows | null;
  /** The automaton matches exactly what the expression matches. */
  exact: boolean;
  /** Decides about single lines. */
  judge: LineJudge;
  /** Literals of which every match contains one; null if there are none. */
  literals: LiteralSearch | null;
  /** True if every line that contains a literal matches. */
  literalsDecide: boolean;
}

export interface Matched {
  /** Numbers of the matching lines, rising, from 0 for the block's first. Valid until the next call. */
  lines: Uint32Array;
  /** Number of the stream's line ends in the block. */
  newlines: number;
}

/** A line that is longer than a block. */
export interface LongLine {
  /** Returns the text as shown, or its last part. */
  text(): string;
  /** Returns whether the expression matches somewhere in the line. */
  matches(): boolean;
}

/** Blocks for which literals are not tried, after one where they did not help. */
const SKIPPED_BLOCKS = 15;
/** With more matches than one in this many bytes, every line may have one. */
const DENSE_BYTES = 200;
const NO_LINES = new Uint32Array();
const FIRST_LINE = Uint32Array.of(0);

export class BlockSearch {
  readonly #workspace: Workspace;
  readonly #means: Means;
  #skipped = 0;
  #onProgress: () => void = () => {};

  constructor(workspace: Workspace, means: Means) {
    this.#workspace = workspace;
    this.#means = means;
  }

  /**
   * Returns the matching lines of a block. `long` describes the line whose last part the block is. `onProgress` is
   * called regularly during long work.
   */
  match(block: Block, long: () => LongLine, onProgress: () => void): Matched {
    this.#onProgress = onProgress;
    if (block.part) return this.#matchPart(block, long);
    const { literals } = this.#means;
    if (literals && this.#skipped === 0) {
      const found = this.#matchLiterals(block, literals);
      if (found) return found;
      this.#skipped = SKIPPED_BLOCKS;
    } else this.#skipped = Math.max(0, this.#skipped - 1);
    return this.#matchAll(block);
  }

  #matchLiterals(block: Block, literals: LiteralSearch): Matched | null {
    const { raw, literalsDecide } = this.#means;
    const { scanner, source } = this.#workspace;
    const { start, end, unended } = block;
    const { kinds, newlines } = scanner.classify(start, end);
    const given = { start, end, newlines, kinds: raw ? kinds & ~CONTROLS : kinds };
    const candidates = literals.candidates(source, given, literalsDecide);
    if (!candidates) return null;
    const { sure, unsure } = candidates;
    const counted = unended ? newlines - 1 : newlines;
    if (literalsDecide && unsure.count === 0) return { lines: sure.lines, newlines: counted };
    const decided = literalsDecide ? sure.lines.slice() : this.#confirmed(sure, block);
    const lines = unsure.count === 0 ? decided : merged(decided, this.#confirmed(unsure, block));
    return { lines, newlines: counted };
  }

  /** Returns the found lines that match. */
  #confirmed(found: Found, { start, end }: Block): Uint32Array {
    const { rows, exact, raw, judge } = this.#means;
    const { source } = this.#workspace;
    const lines = found.lines.slice();
    const extents = Array.from(found.places, (place) => {
      const from = place === start ? start : Math.max(start, source.lastIndexOf(10, place - 1) + 1);
      return { from, to: source.indexOf(10, place) };
    });
    const verdicts = extents.map(({ from, to }) => {
      if (!exact || to < 0 || to >= end) return null;
      const event = rows?.useless ? null : rows!.feed(AT.source + from, AT.source + to + 1, true);
      return event === EVENT.match ? true : event === EVENT.none ? false : null;
    });
    const open = extents.filter((_, i) => verdicts[i] === null);
    const texts = open.map(({ from, to }) => textOfLine(source, from, to < 0 ? end : to, raw));
    const judged = judge.judge(texts, this.#onProgress);
    let next = 0;
    return lines.filter((_, i) => verdicts[i] ?? judged[next++]!);
  }

  #matchAll(block: Block): Matched {
    const { rows, exact } = this.#means;
    const { start, end } = block;
    const said = rows && !rows.useless ? rows.scan(AT.source + start, AT.source + end) : null;
    if (!said) return this.#judgeAll(block);
    const { numbers, newlines } = this.#numbered(said, block);
    const sure = exact && !rows!.sawUnsure;
    return {
      lines: sure ? numbers : this.#settled(said, numbers, block),
      newlines: newlines - (block.unended ? 1 : 0),
    };
  }

  /** Returns the numbers of the lines with these ends, and the number of all lines. */
  #numbered(ends: Uint32Array, { start, end }: Block): { numbers: Uint32Array; newlines: number } {
    const { scanner } = this.#workspace;
    if (ends.length > (end - start) / DENSE_BYTES) {
      const newlines = scanner.count(start, end);
      // Every line has an entry, so the numbers are known.
      if (newlines === ends.length) return { numbers: firstNumbers(newlines), newlines };
    }
    const numbers = scanner.number(AT.source + start, ends);
    const last = ends.length > 0 ? placeOf(ends.at(-1)!) - AT.source : start;
    const before = ends.length > 0 ? numbers.at(-1)! : 0;
    return { numbers, newlines: before + scanner.count(last, end) };
  }

  /** Decides about the lines that the automaton left open; returns the lines that match. */
  #settled(said: Uint32Array, numbers: Uint32Array, { start }: Block): Uint32Array {
    const { exact, raw, judge } = this.#means;
    const { source } = this.#workspace;
    // Copy first: the judge may use the same automaton, which overwrites its results.
    const [events, lines] = [Uint8Array.from(said, eventOf), numbers.slice()];
    const ends = Uint32Array.from(said, (one) => placeOf(one) - AT.source);
    const isSure = (i: number) => exact && events[i] === EVENT.match;
    const texts: string[] = [];
    for (const [i, end] of ends.entries()) {
      if (isSure(i)) continue;
      const from = end === start ? start : Math.max(start, source.lastIndexOf(10, end - 1) + 1);
      texts.push(textOfLine(source, from, end, raw));
    }
    const judged = judge.judge(texts, this.#onProgress);
    let next = 0;
    return lines.filter((_, i) => isSure(i) || judged[next++]!);
  }

  /** Decides about every line by its text. */
  #judgeAll({ start, end, unended }: Block): Matched {
    const { raw, judge } = this.#means;
    const { source } = this.#workspace;
    const texts: string[] = [];
    for (let at = start; at < end; ) {
      const newline = source.indexOf(10, at);
      texts.push(textOfLine(source, at, newline, raw));
      at = newline + 1;
    }
    const lines: number[] = [];
    for (const [line, matches] of judge.judge(texts, this.#onProgress).entries())
      if (matches) lines.push(line);
    return { lines: Uint32Array.from(lines), newlines: texts.length - (unended ? 1 : 0) };
  }

  #matchPart({ start, end, unended, part }: Block, long: () => LongLine): Matched {
    const { rows, exact, judge } = this.#means;
    const event = rows && !rows.useless ? rows.feed(AT.source + start, AT.source + end, part!.first) : null;
    if (!part!.last) return { lines: NO_LINES, newlines: 0 };
    let matches = event === EVENT.match;
    if (event === EVENT.unsure) matches = judge.judge([long().text()], this.#onProgress)[0]!;
    else if (event === null || (matches && !exact)) matches = long().matches();
    return { lines: matches ? FIRST_LINE : NO_LINES, newlines: unended ? 0 : 1 };
  }
}

/** Merges two rising lists that share no number. */
function merged(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both.sort();
}

let numbers: Uint32Array | null = null;

/** Returns 0, 1, 2 and so on, `count` of them: at most one more than a block has bytes. */
function firstNumbers(count: number): Uint32Array {
  numbers ??= Uint32Array.from({ length: STEP_BYTES + 1 }, (_, i) => i);
  return numbers.subarray(0, count);
}
