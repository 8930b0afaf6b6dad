/** The rows of the window's results: each matching line and its context once, for every context size. */
import { MAX_RESULT_CONTEXT } from '../../../shared/limits.ts';
import type { LineSet } from '../../../shared/line-set.ts';
import type { LineGap } from '../../reader/lines/line-gaps.ts';
import { Dilation } from '../../search/dilation.ts';

/** The matching lines so far, by stored line number. */
export interface FoundLines {
  readonly lines: LineSet;
  readonly gaps: readonly LineGap[];
  /** It is known of all lines up to this one whether they match. */
  readonly settledLine: number;
}

interface MatchRow {
  line: number;
  /** Which match it is, from 0; null when it is only around one. */
  match: number | null;
}

export class ResultRows {
  readonly #found: () => FoundLines;
  /** One for each context from 1. */
  readonly #dilations = Array.from({ length: MAX_RESULT_CONTEXT }, (_, i) => new Dilation(i + 1));

  constructor(found: () => FoundLines) {
    this.#found = found;
  }

  /** Matches from this line on will be searched again. */
  rewind(line: number): void {
    for (const dilation of this.#dilations) dilation.rewind(line);
  }

  /**
   * Row counts with 0, 1, 2 … lines of context. Lines after the last match count once they are known not to match.
   */
  counts(): number[] {
    const found = this.#found();
    return this.#each(found, (rows) => rows.rank(found.settledLine + 1));
  }

  /** The row of the line (or the row where it would be) with 0, 1, 2 … lines around each match. */
  placesOf(line: number): number[] {
    return this.#each(this.#found(), (rows) => rows.rank(line));
  }

  /** At most `count` rows from the row `first` on, from 0. */
  page(context: number, first: number, count: number): MatchRow[] {
    const found = this.#found();
    const rows = this.#of(context, found);
    const lines: number[] = [];
    for (let k = first; k < first + count; k += 1) {
      const line = rows.kth(k);
      if (line === undefined || line > found.settledLine) break;
      lines.push(line);
    }
    if (lines.length === 0) return [];
    let match = found.lines.rank(lines[0]!);
    return lines.map((line) => {
      if (found.lines.kth(match) !== line) return { line, match: null };
      match += 1;
      return { line, match: match - 1 };
    });
  }

  #each(found: FoundLines, work: (rows: LineSet | Dilation) => number): number[] {
    return Array.from({ length: MAX_RESULT_CONTEXT + 1 }, (_, context) => work(this.#of(context, found)));
  }

  #of(context: number, found: FoundLines): LineSet | Dilation {
    const dilation = this.#dilations[context - 1];
    dilation?.update(found.lines, found.gaps);
    return dilation ?? found.lines;
  }
}
