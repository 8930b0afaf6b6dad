/**
 * Applies one filter to one text: a search for each rule, and the lines that pass all of them. An equal search of the
 * search bar or of another filter is shared.
 */
import type { FilterVerb, LineFilter, LineSpan, RuleState } from '../../../shared/api/filters.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { combineInto, entriesWith, LineSet, SPAN } from '../../../shared/line-set.ts';
import { expressionOf } from '../../search/expression.ts';
import type { Generation } from '../documents/generation.ts';
import { type FoundSearch, ResultRows, type Searches, type SearchJob } from './search-job.ts';

interface Rule {
  verb: FilterVerb;
  /** Null for a rule with an invalid pattern. */
  job: SearchJob | null;
  problem: string | null;
}

export class FilterJob {
  readonly generation: Generation;
  readonly #filter: LineFilter;
  readonly #searches: Searches;
  readonly #rules: Rule[];
  readonly #passing = new LineSet();
  #settledLine = 0;
  /** The lines that begin an entry, for a filter by entries once it runs. */
  #starts: SearchJob | null = null;
  /** The lines that have the shape of the one before, for a filter that folds them. */
  readonly #repeats: SearchJob | null;

  constructor(generation: Generation, filter: LineFilter, searches: Searches) {
    this.generation = generation;
    this.#filter = filter;
    this.#searches = searches;
    this.#repeats = filter.repeats ? searches.repeats(generation) : null;
    this.#rules = filter.rules.map(({ verb, query }) => {
      try {
        expressionOf(query);
        return { verb, job: searches.job(generation, query, false, true), problem: null };
      } catch (error) {
        return { verb, job: null, problem: toSpillwayError(error).what };
      }
    });
  }

  /** Passing lines up to `settledLine`, by stored number. */
  get lines(): LineSet {
    return this.#passing;
  }

  get settledLine(): number {
    return this.#settledLine;
  }

  get searchedBytes(): number {
    if (this.#isNew) return 0;
    return Math.min(this.generation.size, ...this.#jobs().map((job) => job.searchedBytes));
  }

  /** Whether all counted lines were filtered. */
  get complete(): boolean {
    return !this.#isNew && this.#jobs().every((job) => job.complete);
  }

  ruleStates(): RuleState[] {
    return this.#rules.map(({ job, problem }) => ({
      match_count: job?.lines.size ?? 0,
      problem,
      timed_out: job?.timedOut ?? false,
    }));
  }

  /** Searches the part not searched yet, calling `onProgress` on the way. Rejects with `cancelled`. */
  async run(signal: AbortSignal, onProgress: () => void): Promise<void> {
    if (this.#filter.entries) this.#starts ??= await this.#searches.entryStarts(this.generation);
    const jobs = this.#jobs();
    const leave = jobs.map((job) => job.onProgress(onProgress));
    try {
      await Promise.all(jobs.map((job) => this.#searches.complete(job, signal)));
    } finally {
      for (const each of leave) each();
    }
  }

  /** The last line that every rule has searched; by entries, the last one of an entry that is known to have ended. */
  get knownLine(): number {
    const searched = this.#searchedLine;
    return this.#starts && !this.complete ? this.#lastWhole(searched) : searched;
  }

  get #searchedLine(): number {
    if (this.#isNew) return 0;
    const jobs = this.#jobs();
    return Math.min(this.generation.numbers.stored, ...jobs.map((job) => job.settledLine));
  }

  /** By entries, and not yet known where they begin. */
  get #isNew(): boolean {
    return this.#filter.entries !== undefined && this.#starts === null;
  }

  /** The last line before the entry that a line is in, to which more lines may be added. */
  #lastWhole(line: number): number {
    const starts = this.#starts!.lines;
    return (starts.kth(starts.rank(line + 1) - 1) ?? 1) - 1;
  }

  /** Combines the searches' results from the last settled line on, as that line or its entry may have grown. */
  update(): void {
    const { knownLine } = this;
    const settledLine = this.#starts ? this.#lastWhole(knownLine) : knownLine;
    const fromKey = Math.floor(Math.min(this.#settledLine, settledLine) / SPAN);
    const { numbers } = this.generation;
    const stored = ({ first, last }: LineSpan) => ({ first: numbers.from(first), last: numbers.to(last) });
    const within = this.#filter.within.map(stored);
    // The line behind missing ones says so.
    const behindGaps = numbers.gaps.map(({ after }) => ({ first: after + 1, last: after + 1 }));
    const unfolded = [...(this.#filter.repeats?.unfolded.map(stored) ?? []), ...behindGaps];
    const repeats = this.#repeats && { lines: this.#repeats.lines, unfolded };
    const valid = this.#rules.filter(({ job }) => job !== null);
    const starts = this.#starts?.lines;
    const sets = (verb: FilterVerb) =>
      valid
        .filter((rule) => rule.verb === verb)
        .map(({ job }) => (starts ? entriesWith(job!.lines, starts, fromKey, knownLine) : job!.lines));
    this.#settledLine = settledLine;
    const firsts = this.#filter.entries === 'first' ? starts! : null;
    const rules = { show: sets('show'), all: sets('only'), hide: sets('hide'), within, firsts, repeats };
    combineInto(this.#passing, rules, fromKey, knownLine);
  }

  #jobs(): SearchJob[] {
    return [
      ...this.#rules.flatMap(({ job }) => job ?? []),
      ...[this.#starts, this.#repeats].flatMap((job) => job ?? []),
    ];
  }
}

/** Most filters to keep for a text. */
const KEPT_FILTERS = 8;

export class FilterJobs {
  readonly #searches: Searches;
  readonly #jobs = new WeakMap<Generation, Map<string, FilterJob>>();

  constructor(searches: Searches) {
    this.#searches = searches;
  }

  /** Returns the job of this filter on this text, with its results so far. */
  job(generation: Generation, filter: LineFilter): FilterJob {
    const jobs = this.#jobs.get(generation) ?? new Map<string, FilterJob>();
    this.#jobs.set(generation, jobs);
    const key = JSON.stringify(filter);
    const job = jobs.get(key) ?? new FilterJob(generation, filter, this.#searches);
    jobs.delete(key);
    jobs.set(key, job);
    if (jobs.size > KEPT_FILTERS) jobs.delete(jobs.keys().next().value!);
    return job;
  }
}

/** Searches the lines that pass a filter: intersects a search and a filter, each of which runs on its own. */
export class SearchWithin implements FoundSearch {
  readonly results: ResultRows;
  readonly #search: SearchJob;
  readonly #filter: FilterJob;
  readonly #searches: Searches;
  readonly #lines = new LineSet();
  #known = 0;
  /** The lines up to this one stay. */
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
      settledLine: this.#known,
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
    this.#known = known;
    const fromKey = Math.floor(Math.min(this.#settledLine, known) / SPAN);
    this.#filter.update();
    this.#settledLine = Math.min(known, this.#filter.settledLine);
    // Context of a match may reach into the container before.
    this.results.rewind(fromKey * SPAN);
    const all = [this.#search.lines, this.#filter.lines];
    combineInto(this.#lines, { show: [], hide: [], within: [], all }, fromKey, known);
  }
}
