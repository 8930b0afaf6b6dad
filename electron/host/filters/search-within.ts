/** Searches the lines that pass a filter: intersects a search and a filter, each of which runs on its own. */
import { combineInto } from '../../../shared/lines/combine.ts';
import { SPAN } from '../../../shared/lines/line-container.ts';
import { LineSet } from '../../../shared/lines/line-set.ts';
import type { Generation } from '../documents/generation.ts';
import { ResultRows } from '../search/result-rows.ts';
import type { FoundSearch, SearchJob } from '../search/search-job.ts';
import type { Searches } from '../search/searches.ts';
import type { FilterJob } from './filter-job.ts';

export class SearchWithin implements FoundSearch {
  readonly results: ResultRows;
  readonly #search: SearchJob;
  readonly #filter: FilterJob;
  readonly #searches: Searches;
  readonly #lines = new LineSet();
  #settledLine = 0;
  /** State of search and filter when `#lines` was made. */
  #seen = '';

  constructor(search: SearchJob, filter: FilterJob, searches: Searches) {
    this.#search = search;
    this.#filter = filter;
    this.#searches = searches;
    this.results = new ResultRows(() => ({
      lines: this.lines,
      gaps: this.generation.numbers.gaps,
      settledLine: this.#settledLine,
    }));
  }

  get generation(): Generation {
    return this.#search.generation;
  }

  get lines(): LineSet {
    this.#update();
    return this.#lines;
  }

  get searchedBytes(): number {
    return Math.min(this.#search.searchedBytes, this.#filter.searchedBytes);
  }

  get timedOut(): boolean {
    return this.#search.timedOut;
  }

  get inParts(): boolean {
    return this.#search.inParts;
  }

  rest(ms: number): void {
    this.#search.rest(ms);
  }

  /** Searches the part not searched yet. Rejects with `cancelled` or `usage`. */
  async run(signal: AbortSignal, onProgress: () => void): Promise<void> {
    const leave = this.#search.onProgress(onProgress);
    try {
      const filtered = this.#filter.run(signal, onProgress);
      await Promise.all([filtered, this.#searches.complete(this.#search, signal)]);
    } finally {
      leave();
    }
  }

  #update(): void {
    const known = Math.min(this.#search.settledLine, this.#filter.knownLine);
    const now = `${known} ${this.#search.searchedBytes} ${this.#filter.searchedBytes}`;
    if (now === this.#seen) return;
    this.#seen = now;
    const fromKey = Math.floor(Math.min(this.#settledLine, known) / SPAN);
    this.#filter.update();
    this.#settledLine = known;
    // Context of a match may reach into the container before.
    this.results.rewind(fromKey * SPAN);
    const all = [this.#search.lines, this.#filter.lines];
    combineInto(this.#lines, { show: [], hide: [], within: [], all }, fromKey, known);
  }
}
