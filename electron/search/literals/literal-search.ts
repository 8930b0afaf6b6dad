/**
 * Finds the lines of a block that may hold one of some literals, by scanning bytes at memory speed. In coloured text
 * an escape sequence may split a literal; those lines are candidates, too (seams.ts).
 */
import { CONTROLS, type Controls } from '../../reader/lines/controls.ts';
import type { Block } from '../blocks.ts';
import { copied, filtered, NONE, uniqueLines } from '../lines/found.ts';
import { STEP_BYTES } from '../memory.ts';
import type { ByteLiteral } from '../scanner/literal.ts';
import type { Neighbours, ScannedLines, Scanner } from '../scanner/scanner.ts';
import { fittedTo } from './byte-literal.ts';
import { type Doubt, doubtOf, maySplit, neighboursOf } from './seams.ts';

interface Candidates {
  /** Lines whose text certainly holds a literal. Valid until the scanner is used again. */
  sure: ScannedLines;
  /** Lines whose text may hold one. */
  unsure: ScannedLines;
}

/** Above this share of a block's lines, gathering them costs more than reading the whole block. */
const DENSE = 1 / 3;
/** Bytes of a block that tell how frequent each byte is. */
const SAMPLE_BYTES = 16 * 1024;
/** After so many blocks, another sample is taken: a text is not the same everywhere. */
const FITTED_BLOCKS = (64 * 1024 * 1024) / STEP_BYTES;
/** Up to this many lines are always read singly. */
const FEW_LINES = 16;

export class LiteralSearch {
  readonly #scanner: Scanner;
  #literals: readonly ByteLiteral[];
  #blocks = 0;
  readonly #neighbours: Neighbours;
  readonly #inDoubt: Doubt;

  constructor(scanner: Scanner, literals: readonly ByteLiteral[]) {
    this.#scanner = scanner;
    this.#literals = literals;
    this.#neighbours = neighboursOf(literals);
    this.#inDoubt = doubtOf(literals);
  }

  /**
   * Returns the lines of a block that may match; null if they are so many that reading the whole block costs less.
   * With `exact`, lines in `sure` match and need no reading.
   */
  candidates(
    source: Uint8Array,
    { start, end, newlines, seams: known }: Pick<Block, 'start' | 'end' | 'newlines' | 'seams'>,
    controls: Controls,
    exact: boolean,
  ): Candidates | null {
    if (this.#blocks % FITTED_BLOCKS === 0) {
      const sample = Math.min(SAMPLE_BYTES, end - start);
      const from = start + ((end - start - sample) >> 1);
      this.#literals = fittedTo(this.#scanner, from, from + sample, this.#literals);
    }
    this.#blocks += 1;
    const most = Math.max(FEW_LINES, newlines * DENSE);
    if (controls === CONTROLS.none) {
      const sure = this.#find(start, end);
      return exact || sure.count <= most ? { sure, unsure: NONE } : null;
    }
    const onlyColours = controls === CONTROLS.colours;
    const mayHide = !onlyColours || this.#mayBeSplit(known);
    const hidden = mayHide ? this.#scanner.seams(start, end, this.#neighbours, onlyColours) : NONE;
    if (hidden.count > most) return null;
    const seams = copied(hidden);
    const hits = this.#find(start, end);
    const unsure = uniqueLines([seams, copied(this.#inDoubt(source, hits, most))]);
    if (unsure.count + (exact ? 0 : hits.count) > most) return null;
    if (unsure.count === 0) return { sure: hits, unsure };
    const looked = new Set(unsure.lines);
    return { sure: filtered(hits, (line) => !looked.has(line)), unsure };
  }

  /** Returns whether a colour may be within a literal. */
  #mayBeSplit(seams: ReadonlySet<number> | null): boolean {
    if (seams) return maySplit(seams, this.#neighbours);
    return this.#literals.some(({ bytes }) => bytes.length > 1);
  }

  #find(start: number, end: number): ScannedLines {
    const [first, ...more] = this.#literals;
    if (more.length === 0) return this.#scanner.find(start, end, first!);
    return this.#scanner.findAny(start, end, this.#literals);
  }
}
