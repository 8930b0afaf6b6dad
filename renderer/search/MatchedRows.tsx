/** The text with what a search found in it. On its own, so that scrolling draws nothing else anew. */
import {
  type ComponentProps,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import type { Row } from '../../shared/api/rows.ts';
import { wholeRows } from '../viewer/scrolling/positions.ts';
import { type DeepMatch, deepMatch, type RowMatches } from '../viewer/text/pieces.ts';
import { Rows } from '../viewer/text/Rows.tsx';
import type { Viewer } from '../viewer/use-viewer.ts';
import type { OpenSearch, ResultRow } from './open-search.ts';
import type { Search } from './use-search.ts';

/** Longest time that marks of the last search stay in the text: more than a host on a busy machine takes for others. */
const LAST_STAY_MS = 2000;

interface MatchedRowsProps extends Omit<ComponentProps<typeof Rows>, 'matches'> {
  viewer: Viewer;
  search: Search;
}

export function MatchedRows({ viewer, search, ...rows }: MatchedRowsProps) {
  const { matches, areKnown } = useTextMatches(viewer, search);
  const shown = useUntilKnown(search.search, matches, areKnown);
  useMatchInView(viewer, search);
  return <Rows {...rows} matches={shown} />;
}

/**
 * The matches that were shown last, until those of another search are known: while a pattern is typed, no key takes the
 * marks out of the text only to draw others. They stay for a moment at most, and until the results are drawn, which
 * removing the marks would delay.
 */
function useUntilKnown<Matches>(search: Search['search'], matches: Matches, areKnown: boolean): Matches {
  const shown = useRef(matches);
  const isBehind = useDeferredValue(search) !== search;
  const [late, setLate] = useState<Search['search']>(null);
  useEffect(() => {
    if (areKnown) return;
    const timer = setTimeout(() => setLate(search), LAST_STAY_MS);
    return () => clearTimeout(timer);
  }, [search, areKnown]);
  if (!isBehind && (areKnown || late === search)) shown.current = matches;
  return shown.current;
}

const MARGIN_PX = 40;

/**
 * Brings the match one went to into view: its line is there already, the match may be far to the right, or many lines
 * down where the line wraps.
 */
function useMatchInView({ scroller, pending }: Viewer, { current }: Search): void {
  const shown = useRef(current);
  // Once for each: who then scrolls away is left alone. Marks and the rows they are in may come one after the other.
  useEffect(() => {
    const view = scroller.current;
    if (!current || !view || shown.current === current || pending) return;
    const mark = view.querySelector('[data-current] mark');
    const gutter = view.querySelector('[data-current] [data-gutter]');
    if (!mark || !gutter) return;
    shown.current = current;
    const box = mark.getBoundingClientRect();
    const left = gutter.getBoundingClientRect().right;
    const { right, top, bottom } = view.getBoundingClientRect();
    const down = box.top < top ? box.top - top - MARGIN_PX : Math.max(0, box.bottom - bottom + MARGIN_PX);
    if (down !== 0 && (box.top < top || box.bottom > bottom))
      view.scrollBy({ top: down, behavior: 'instant' });
    if (box.left >= left && box.right <= right) return;
    const wide = box.width > right - left - MARGIN_PX;
    const by = box.left < left || wide ? box.left - left - MARGIN_PX : box.right - right + MARGIN_PX;
    view.scrollBy({ left: by, behavior: 'instant' });
  });
}

/** Milliseconds between two requests for the matches in view. */
const ASK_EVERY_MS = 60;

/** Rows beyond each edge of the view whose matches are fetched, too: a scroll finds them marked. */
const AROUND_ROWS = 200;

interface TextMatches {
  matches: RowMatches | null;
  /** Whether they are of the shown search. */
  areKnown: boolean;
}

/**
 * The matches in view, as the search itself found them. The text never waits for them: its rows are fetched without
 * matches.
 */
function useTextMatches(viewer: Viewer, search: Search): TextMatches {
  const active = search.active && search.search !== null;
  const found = useFoundInView(viewer, search);
  const current = search.current?.line ?? null;
  const row = current === null ? undefined : viewer.rows.row(viewer.rows.rowOf(current));
  const matchesOf = useCallback(
    (line: number, row: Row) => {
      const match = found.rows.get(line);
      if (!match) return null;
      // The row of a long line has its own matches, once they are known.
      if (row.matches) return row.matches;
      // A line that grew since may match elsewhere.
      const isSame = match.text === row.text || (match.clipped && row.text.startsWith(match.text));
      return isSame ? (match.matches ?? null) : null;
    },
    [found],
  );
  const isDeep = row?.clipped && current !== null && matchesOf(current, row)?.length === 0;
  const deep = useDeepMatches(search.search, search.snapshot.state?.generation ?? null);
  useEffect(() => {
    if (isDeep) deep.want([current]);
  }, [isDeep, current, deep.want]);
  const { document } = viewer.opened;
  const query = active ? (search.search?.query ?? null) : null;
  useEffect(() => document?.long.highlight(query), [document, query]);
  // The match one went to is in another piece of its line.
  const offset = isDeep ? deep.of(current)?.offset : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each match, as one may read on from there
  useEffect(() => {
    if (offset !== undefined && current !== null && row) document?.long.showByte(current, row, offset);
  }, [offset, current, document]);
  const matches = useMemo((): RowMatches | null => {
    if (!active) return null;
    return {
      matchesOf,
      isHit: (line) => found.rows.has(line),
      current,
    };
  }, [active, matchesOf, found, current]);
  return { matches, areKnown: !active || found.of === search.search };
}

interface Found {
  of: OpenSearch | null;
  /** By line. */
  rows: ReadonlyMap<number, ResultRow>;
}

const NONE: Found = { of: null, rows: new Map() };

/** Fetches the matching lines in view, and those around it, as more is found and the view moves. */
function useFoundInView(viewer: Viewer, { search, snapshot }: Search): Found {
  const [found, setFound] = useState(NONE);
  const asked = useRef(0);
  const { state, total } = snapshot;
  const generation = state?.generation ?? null;
  const isEmpty = state?.done === true && total === 0;
  const { rows, scroll } = viewer;
  useEffect(() => {
    if (!search || generation === null) return;
    if (total === 0) return isEmpty ? setFound({ of: search, rows: NONE.rows }) : undefined;
    let request = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** Rows whose matches are asked for. */
    let span = { first: 0, last: -1 };
    const ask = async ({ first, last }: typeof span, { signal }: AbortController) => {
      asked.current = Date.now();
      const [from, to] = [rows.lineOf(first), rows.lineOf(last)];
      if (from === null || to === null) return;
      // When it fails, the next state or the next position asks again.
      const page = await search.matchesIn(from, to, signal).catch(() => null);
      if (signal.aborted || page?.generation !== generation) return;
      setFound({ of: search, rows: new Map(page.rows.map((row) => [row.line, row])) });
    };
    const update = () => {
      const { position, height } = scroll.view.get();
      const last = Math.min(position.row + wholeRows(height) + 1, rows.count - 1);
      // Rows have no lines while the text is being counted.
      const isHere = position.row < rows.count && rows.lineOf(position.row) !== null;
      if (!isHere || (position.row >= span.first && last <= span.last)) return;
      span = {
        first: Math.max(0, position.row - AROUND_ROWS),
        last: Math.min(last + AROUND_ROWS, rows.count - 1),
      };
      request.abort();
      request = new AbortController();
      clearTimeout(timer);
      const wait = Math.max(0, asked.current + ASK_EVERY_MS - Date.now());
      timer = setTimeout(ask, wait, span, request);
    };
    update();
    const unsubscribe = scroll.view.subscribe(update);
    return () => {
      unsubscribe();
      clearTimeout(timer);
      request.abort();
    };
  }, [search, rows, scroll, generation, total, isEmpty]);
  return found.of === search ? found : NONE;
}

// Asks where long lines match whose rows show only their beginning.

/** Each costs the host the reading of a line. */
const MAX_REQUESTS = 2;

class DeepMatches {
  readonly known = new Map<number, DeepMatch | null>();
  readonly #search: OpenSearch;
  readonly #generation: number | null;
  readonly #onChange: () => void;
  readonly #asked = new AbortController();
  #queue: number[] = [];
  #running = 0;

  constructor(search: OpenSearch, generation: number | null, onChange: () => void) {
    this.#search = search;
    this.#generation = generation;
    this.#onChange = onChange;
  }

  /** Asks for these lines, and no longer for others. */
  want(lines: readonly number[]): void {
    this.#queue = lines.filter((line) => !this.known.has(line));
    while (this.#queue.length > 0 && this.#running < MAX_REQUESTS) void this.#ask(this.#queue.shift()!);
  }

  close(): void {
    this.#asked.abort();
  }

  async #ask(line: number): Promise<void> {
    const { signal } = this.#asked;
    this.#running += 1;
    const found = await this.#search.matchInLine(line, signal).catch(() => undefined);
    this.#running -= 1;
    if (signal.aborted) return;
    // After an error the row stays as it is.
    const isOfText = found?.match && found.generation === this.#generation;
    this.known.set(line, isOfText ? deepMatch(found.match!) : null);
    this.#onChange();
    this.want(this.#queue);
  }
}

/** `want` asks for long lines in view without a match in their shown part; `of` returns what is known by now. */
export function useDeepMatches(search: OpenSearch | null, generation: number | null) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const matches = useMemo(() => search && new DeepMatches(search, generation, redraw), [search, generation]);
  useEffect(() => () => matches?.close(), [matches]);
  const size = matches?.known.size ?? 0;
  return {
    size,
    want: useCallback((lines: readonly number[]) => matches?.want(lines), [matches]),
    // Another function when more is known: rows are memoised.
    // biome-ignore lint/correctness/useExhaustiveDependencies: the size tells that more is known
    of: useCallback((line: number) => matches?.known.get(line) ?? null, [matches, size]),
  };
}
