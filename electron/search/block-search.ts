/**
 * Searches blocks by a plan: literals first, then the automaton, then line text. Each decides what the one before left
 * open.
 */

import { CONTROLS, type Controls } from '../reader/lines/controls.ts';
import { eventOf, placeOf } from './automaton/automaton.ts';
import { EVENT } from './automaton/transitions.ts';
import type { Block } from './blocks.ts';
import { copied, type LiteralSearch } from './literals/literal-search.ts';
import type { ScannedLines } from './literals/scanner.ts';
import { AT, SKIPPED_BLOCKS, STEP_BYTES } from './memory.ts';
import { plainEnd, type SearchPlan, textOfLine, type Workspace } from './plan.ts';

/** A line that is longer than a block. */
export interface LongLine {
  /** Returns the text as shown, or its last part. */
  text(): string;
  /** Returns whether the expression matches somewhere in the line. */
  matches(): boolean;
}

/** Costs of looking for literals: of each byte, and of each line found. 1 is what lanes (automaton.ts) take for a byte. */
const COST = { byte: 0.12, line: 150 };
const NO_LINES = new Uint32Array();
const FIRST_LINE = Uint32Array.of(0);

export class BlockSearch {
  readonly #workspace: Workspace;
  readonly #plan: SearchPlan;
  #skipped = 0;
  #onProgress: () => void = () => {};

  constructor(workspace: Workspace, plan: SearchPlan) {
    this.#workspace = workspace;
    this.#plan = plan;
  }

  /**
   * Returns the numbers of a block's matching lines: rising, from 0 for its first, valid until the next call. `long`
   * describes the line whose last part the block is. `onProgress` is called regularly during long work.
   */
  match(block: Block, long: (block: Block) => LongLine, onProgress: () => void): Uint32Array {
    this.#onProgress = onProgress;
    if (block.part) return this.#matchPart(block, long);
    const { literals } = this.#plan;
    if (literals && this.#skipped === 0) {
      const found = this.#matchLiterals(block, literals);
      if (found) return found;
      this.#skipped = SKIPPED_BLOCKS;
    } else this.#skipped = Math.max(0, this.#skipped - 1);
    return this.#matchAll(block);
  }

  /** Decides about a line by its text. A judge that compares neighbours knows it as the one before the next. */
  judge(text: string): boolean {
    return this.#plan.reader().judge.judge([text], this.#onProgress)[0]!;
  }

  /** Returns the controls that a block may hold. Raw text has none. */
  #controls(block: Block): Controls {
    return this.#plan.raw ? CONTROLS.none : block.controls;
  }

  #matchLiterals(block: Block, literals: LiteralSearch): Uint32Array | null {
    const { literalsDecide } = this.#plan;
    const { source } = this.#workspace;
    const candidates = literals.candidates(source, block, this.#controls(block), literalsDecide);
    if (!candidates) return null;
    const { unsure } = candidates;
    if (literalsDecide && unsure.count === 0) return candidates.sure.lines;
    // The next search overwrites the scanner's results.
    const sure = copied(candidates.sure);
    const early = literalsDecide ? null : this.#matchEarly(block, costOf(sure.count + unsure.count, block));
    if (early) {
      this.#skipped = SKIPPED_BLOCKS;
      return early;
    }
    const decided = literalsDecide ? sure.lines : this.#confirmed(sure, block);
    return unsure.count === 0 ? decided : merged(decided, this.#confirmed(unsure, block));
  }

  /** Returns the found lines that match. */
  #confirmed(found: ScannedLines, block: Block): Uint32Array {
    if (found.count === 0) return NO_LINES;
    const { automaton, exact } = this.#plan.reader();
    const { lines, places } = found;
    const words = this.#read(places, block);
    if (!words) return this.#judged(lines, places, () => EVENT.unsure, block);
    const numbers = this.#workspace.scanner.number(AT.rendered, words);
    if (exact && !automaton!.sawUnsure) return numbers.map((number) => lines[number]!);
    const events = new Uint8Array(places.length);
    for (let i = 0; i < words.length; i += 1) events[numbers[i]!] = exact ? eventOf(words[i]!) : EVENT.unsure;
    return this.#judged(lines, places, (i) => events[i]!, block);
  }

  /** Reads the lines with these places; returns the entries of `Automaton.scan`, null if the automaton can't tell. */
  #read(places: Uint32Array, { start, end }: Block): Uint32Array | null {
    const { automaton } = this.#plan.reader();
    if (!automaton || automaton.useless || end - start > STEP_BYTES) return null;
    return automaton.scan(AT.rendered, this.#workspace.scanner.gather(start, end, places));
  }

  /** Decides about the lines at these places whose event is `unsure`; returns the lines that match. */
  #judged(
    lines: Uint32Array,
    places: Uint32Array,
    eventAt: (i: number) => number,
    { start }: Block,
  ): Uint32Array {
    const { raw } = this.#plan;
    const { judge } = this.#plan.reader();
    const { source } = this.#workspace;
    const texts: string[] = [];
    const verdicts = Array.from(places, (place, i) => {
      if (eventAt(i) !== EVENT.unsure) return eventAt(i) === EVENT.match;
      const from = place === start ? start : Math.max(start, source.lastIndexOf(10, place - 1) + 1);
      const end = source.indexOf(10, place);
      const known = this.#judgeBytes(from, end);
      if (known === null) texts.push(textOfLine(source, from, end, raw));
      return known;
    });
    const judged = judge.judge(texts, this.#onProgress);
    let next = 0;
    return lines.filter((_, i) => verdicts[i] ?? judged[next++]!);
  }

  #matchAll(block: Block): Uint32Array {
    const { automaton, exact } = this.#plan.reader();
    const { start, end } = block;
    const early = this.#matchEarly(block, 1);
    if (early) return early;
    const words = automaton && !automaton.useless ? automaton.scan(AT.source + start, AT.source + end) : null;
    if (!words) return this.#judgeAll(block);
    const numbers = this.#numbered(words, block);
    return exact && !automaton!.sawUnsure ? numbers : this.#settled(words, numbers, block);
  }

  /** Reads each line until its outcome is known; null where that costs more than `limit` times what lanes take. */
  #matchEarly(block: Block, limit: number): Uint32Array | null {
    const { automaton, exact } = this.#plan.reader();
    const { start, end } = block;
    // A control that moves the cursor could still change a line's outcome.
    if (!exact || this.#controls(block) === CONTROLS.others) return null;
    return automaton!.scanEarly(AT.source + start, AT.source + end, limit);
  }

  /** Returns the numbers of the lines with these ends. */
  #numbered(ends: Uint32Array, { start, newlines, unended }: Block): Uint32Array {
    // If every line has an entry, the numbers are known.
    if (ends.length === newlines + (unended ? 1 : 0)) return firstNumbers(ends.length);
    return this.#workspace.scanner.number(AT.source + start, ends);
  }

  /** Decides about the lines that the automaton left open; returns the lines that match. */
  #settled(words: Uint32Array, numbers: Uint32Array, block: Block): Uint32Array {
    const { exact } = this.#plan.reader();
    // Copy first: the judge may use the same automaton, which overwrites its results.
    const events = exact ? Uint8Array.from(words, eventOf) : new Uint8Array(words.length).fill(EVENT.unsure);
    const ends = Uint32Array.from(words, (one) => placeOf(one) - AT.source);
    return this.#judged(numbers.slice(), ends, (i) => events[i]!, block);
  }

  /** Decides about a line by its bytes, where the judge can and they are plain; else null. */
  #judgeBytes(from: number, end: number): boolean | null {
    const { source } = this.#workspace;
    const { judge } = this.#plan.reader();
    const last = judge.judgeBytes ? plainEnd(source, from, end) : null;
    return last === null ? null : judge.judgeBytes!(source, from, last);
  }

  /** Decides about every line by its text. */
  #judgeAll({ start, end }: Block): Uint32Array {
    const { raw } = this.#plan;
    const { judge } = this.#plan.reader();
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
    return Uint32Array.from(lines);
  }

  #matchPart(block: Block, long: (block: Block) => LongLine): Uint32Array {
    const { automaton, exact, judge } = this.#plan.reader();
    const { start, end, part } = block;
    const event =
      automaton && !automaton.useless
        ? automaton.feed(AT.source + start, AT.source + end, part!.first)
        : null;
    if (!part!.last) return NO_LINES;
    let matches = event === EVENT.match;
    if (event === EVENT.unsure) matches = judge.judge([long(block).text()], this.#onProgress)[0]!;
    else if (event === null || (matches && !exact)) matches = long(block).matches();
    return matches ? FIRST_LINE : NO_LINES;
  }
}

/** Returns the cost of finding literals in so many lines of a block, as a multiple of what lanes take. */
function costOf(lines: number, { start, end, newlines }: Block): number {
  return COST.byte + (lines * COST.line) / (end - start) + lines / Math.max(1, newlines);
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
  if (numbers === null) {
    numbers = new Uint32Array(STEP_BYTES + 1);
    for (let i = 0; i <= STEP_BYTES; i += 1) numbers[i] = i;
  }
  return numbers.subarray(0, count);
}
