/**
 * Tells how much a line is about what the failure is about. The end says what went wrong ("2 s of 20"), the cause what
 * decided that ("duration"): they share a concept where they share no word.
 */
import { CONCEPT_COUNT, conceptsOf } from '../lexicon/concepts.ts';
import type { LogLine, LogLines } from '../log-lines.ts';
import type { Weighed } from '../weighed.ts';

/** How many of the last lines, and of the lines with the highest scores, count as saying what went wrong. */
const LAST_LINES = 6;
const STRONGEST = 4;
const STRONG_SHARE = 0.7;
/** So many bits of rarity count in full. */
const FULL_BITS = 5;
/** In a text of few lines, a concept that no other line has says little. */
const USUAL_LINES = 4;

export class SharedConcepts {
  /** By line number: concepts of the candidates. */
  readonly #of = new Map<number, number>();
  /** By concept: how rare it is among the candidates, 0 where the failure is not about it. */
  readonly #worth = new Float64Array(CONCEPT_COUNT);
  /** Lines that say what went wrong share everything with themselves. */
  readonly #asking = new Set<number>();

  constructor(candidates: readonly Weighed[], lines: LogLines) {
    for (const [i, line] of lines.last(LAST_LINES).entries()) this.#ask(line, 1 - 0.1 * i);
    const strongest = candidates.toSorted((a, b) => b.score - a.score).slice(0, STRONGEST);
    for (const { line } of strongest) this.#ask(line, STRONG_SHARE);
    const counts = new Float64Array(CONCEPT_COUNT);
    for (const { line } of candidates) {
      const concepts = conceptsOf(line.text);
      this.#of.set(line.number, concepts);
      for (let c = 0; c < CONCEPT_COUNT; c++) if ((concepts & (1 << c)) !== 0) counts[c]!++;
    }
    for (let c = 0; c < CONCEPT_COUNT; c++) {
      const share = (counts[c]! + USUAL_LINES) / (candidates.length + USUAL_LINES);
      this.#worth[c]! *= Math.log2(1 / share) / FULL_BITS;
    }
  }

  /** From 0 to 1. */
  of({ number, text }: LogLine): number {
    if (this.#asking.has(number)) return 0;
    const concepts = this.#of.get(number) ?? conceptsOf(text);
    let most = 0;
    let sum = 0;
    for (let c = 0; c < CONCEPT_COUNT; c++) {
      if ((concepts & (1 << c)) === 0) continue;
      most = Math.max(most, this.#worth[c]!);
      sum += this.#worth[c]!;
    }
    return Math.min(1, (most + sum) / 2);
  }

  #ask({ number, text }: LogLine, worth: number): void {
    this.#asking.add(number);
    const concepts = conceptsOf(text);
    for (let c = 0; c < CONCEPT_COUNT; c++) {
      if ((concepts & (1 << c)) !== 0) this.#worth[c] = Math.max(this.#worth[c]!, worth);
    }
  }
}
