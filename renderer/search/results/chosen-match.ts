/** The chosen row of the results: a matching row, or a row that is not fetched yet and stands for the match near it. */
import type { OpenSearch } from '../open-search.ts';

export interface ChosenMatch {
  /** From 0. */
  row: number;
  /** Null until its row is fetched; then the nearest match in this direction is chosen. */
  line: number | null;
  direction: 1 | -1;
}

const FIRST: ChosenMatch = { row: 0, line: null, direction: 1 };

/** Holds the chosen match for handlers that run before the next render. Its methods are bound. */
export class ChosenMatchStore {
  #chosen: ChosenMatch = FIRST;
  #of: readonly unknown[] = [];
  readonly #onChange: (chosen: ChosenMatch) => void;
  #whenKnown: (() => void) | null = null;

  constructor(onChange: (chosen: ChosenMatch) => void) {
    this.#onChange = onChange;
  }

  readonly get = (): ChosenMatch => this.#chosen;

  readonly set = (chosen: ChosenMatch): void => {
    this.#chosen = chosen;
    this.#onChange(chosen);
    if (chosen.line !== null) this.#whenKnown?.();
  };

  /** Begins at the first match. */
  readonly reset = (): void => this.set(FIRST);

  /** Chooses the match at the row, or the nearest in the direction; where there is none, the nearest in the other. */
  readonly near = (search: OpenSearch | null, row: number, direction: 1 | -1, count: number): void => {
    const found = search && nearestMatch(search.rows, row, direction, count);
    this.set(found ? { row: found.row, line: found.line, direction } : { row, line: null, direction });
  };

  /**
   * Returns the chosen match for a render: the first of another search or text; once rows were fetched, the match that
   * a row without one stands for. Tells nobody, since a second render would delay the first matches of a search.
   */
  readonly drawn = (search: OpenSearch | null, generation: number | null, count: number): ChosenMatch => {
    if (this.#of[0] !== search || this.#of[1] !== generation) this.#chosen = FIRST;
    this.#of = [search, generation];
    const { row, line, direction } = this.#chosen;
    const found = line === null && search ? nearestMatch(search.rows, row, direction, count) : null;
    if (found) this.#chosen = { row: found.row, line: found.line, direction };
    return this.#chosen;
  };

  /** Resolves `line` if the last render found the match. */
  readonly afterDrawn = (): void => {
    if (this.#chosen.line !== null) this.#whenKnown?.();
  };

  /** The line of the chosen match as soon as it is known; null when aborted before. */
  readonly line = async (signal: AbortSignal): Promise<number | null> => {
    if (this.#chosen.line === null) {
      await new Promise<void>((resolve) => {
        this.#whenKnown = resolve;
        signal.addEventListener('abort', () => resolve());
      });
    }
    return this.#chosen.line;
  };
}

interface Rows {
  row(index: number): { line: number; match: number | null } | undefined;
}

/**
 * Returns the match nearest to a row of the results. Rows count from 0. Looks in the given direction first, then in the
 * other. Null when a row that is passed is not fetched yet.
 */
export function nearestMatch(
  rows: Rows,
  from: number,
  direction: 1 | -1,
  count: number,
): { row: number; line: number; match: number } | null {
  for (const by of [direction, -direction]) {
    for (let at = from; at >= 0 && at < count; at += by) {
      const row = rows.row(at);
      if (!row) return null;
      if (row.match !== null) return { row: at, line: row.line, match: row.match };
    }
  }
  return null;
}
