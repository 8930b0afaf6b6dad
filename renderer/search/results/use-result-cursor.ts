/**
 * The chosen row of the results. Keys move it, and so does the current match of the text. It stays at its line when the
 * context around matches changes.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useConnection } from '../../connection/HostProvider.tsx';
import type { RowSpan } from '../../viewer/document/rows-view.ts';
import {
  comparePositions,
  type During,
  endPosition,
  isWhollyVisible,
  positionRevealing,
  type Scroll,
  type ScrollPosition,
  UNIFORM,
  wholeRows,
} from '../../viewer/scrolling/positions.ts';
import type { OpenSearch } from '../open-search.ts';
import type { Search } from '../use-search.ts';

export function useResultCursor(found: Search, scroll: Scroll) {
  const { search, snapshot } = found;
  const { rowCount } = snapshot;
  const generation = snapshot.state?.generation ?? null;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [store] = useState(() => new ChosenMatchStore(redraw));
  // Another search, or another text, begins at its first match.
  const chosen = store.drawn(search, generation, rowCount);
  const latest = useRef({ rowCount, context: found.layout.context });
  latest.current = { rowCount, context: found.layout.context };

  const reveal = useCallback(
    (during: During, from?: ScrollPosition) => {
      const { rowCount, context } = latest.current;
      const { position, height } = scroll.view.get();
      const next = positionRevealing(store.get().row, from ?? position, rowCount, height, context);
      if (next !== position) scroll.moveTo(next, during);
    },
    [scroll, store],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever these change
  useLayoutEffect(() => reveal('layout'), [search, generation, reveal]);

  /** The line that the list itself shows in the text. */
  const shownLine = useRef<number | null>(null);
  const markMoved = useRelocation(found, scroll, store, rowCount, reveal, shownLine);

  /** Chooses the match at the row, or the nearest in the direction. */
  const chooseFrom = useCallback(
    (row: number, direction: ChosenMatch['direction']) => {
      const { rowCount } = latest.current;
      markMoved();
      store.near(search, Math.max(0, Math.min(row, rowCount - 1)), direction, rowCount);
      reveal('event');
    },
    [search, store, reveal, markMoved],
  );

  useLayoutEffect(store.afterDrawn);

  const markShown = useCallback((line: number) => {
    shownLine.current = line;
  }, []);
  return { chosen, chooseFrom, markShown };
}

/** A match that keeps its place in the view while the context around matches changes. */
interface Held {
  line: number;
  /** Rows below the top of the view, and the pixels of the top row that are scrolled away. */
  below: number;
  px: number;
}

/**
 * Finds the row of the current match, or of the chosen one after the context changed. Only the host knows the row, and
 * nothing moves until it has answered. Returns a function to call when keys move the cursor.
 */
function useRelocation(
  found: Search,
  scroll: Scroll,
  store: ChosenMatchStore,
  rowCount: number,
  reveal: (during: During, from?: ScrollPosition) => void,
  shownLine: RefObject<number | null>,
): () => void {
  const { search, snapshot, current, layout } = found;
  const connection = useConnection();
  const { context } = layout;
  const currentLine = current?.line ?? null;
  const generation = snapshot.state?.generation ?? null;
  const isMovedByKeys = useRef(false);
  /** Where to scroll when the new rows are rendered; `count` goes up each time. */
  const [target, setTarget] = useState<{ count: number; position: ScrollPosition | null; chosen: boolean }>({
    count: 0,
    position: null,
    chosen: true,
  });
  const latestRowCount = useRef(rowCount);
  latestRowCount.current = rowCount;
  /** The search and text for which the effect below last ran: `current` may still belong to others. */
  const last = useRef<{ search: OpenSearch | null; generation: number | null }>({ search: null, generation });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the current match is another
  useEffect(() => {
    // The next key may have moved the cursor on already.
    if (currentLine !== shownLine.current) isMovedByKeys.current = false;
  }, [currentLine]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another generation has to be asked again
  useEffect(() => {
    // Offline: the results stay as they are.
    if (!search || !connection) return;
    const isSame = last.current.search === search && last.current.generation === generation;
    last.current = { search, generation };
    const { line } = store.get();
    const wanted = isMovedByKeys.current ? line : (currentLine ?? line);
    const isOtherContext = search.context !== context;
    if (!isOtherContext && (wanted === null || wanted === line)) return;
    if (isSame && current && wanted === current.line && context === 0 && search.context === 0) {
      // Without context a match's row is its number. Keys that follow at once go on from there.
      store.set({ row: current.index, line: current.line, direction: 1 });
      setTarget(({ count }) => ({ count: count + 1, position: null, chosen: true }));
      return;
    }
    const request = new AbortController();
    const { signal } = request;
    // When the host can't tell, the list begins at its start.
    const locate = (line: number | null) =>
      line === null ? null : search.locate(line, signal).catch(() => null);
    let isScrolled = false;
    const relocate = async (): Promise<void> => {
      // Keys may have gone to a row that is not fetched yet.
      const line = isMovedByKeys.current ? await store.line(signal) : wanted;
      const before = { chosen: store.get(), position: scroll.view.get().position };
      const held = isOtherContext ? heldMatch(search, store.get(), scroll, latestRowCount.current) : null;
      const place = await locate(line);
      const heldPlace = held?.line === line ? place : await locate(held?.line ?? null);
      if (signal.aborted) return;
      // Don't override a scroll or a key of the meantime: ask again for what is chosen now.
      const scrolled = comparePositions(scroll.view.get().position, before.position) !== 0;
      isScrolled ||= scrolled;
      if (scrolled || store.get() !== before.chosen) return relocate();
      flushSync(() => {
        search.showContext(context);
        if (place) store.set({ row: place.rows[context]!, line: place.line, direction: 1 });
        else store.reset();
        if (!isOtherContext && isScrolled) return;
        const position =
          held && heldPlace ? { row: heldPlace.rows[context]! - held.below, px: held.px } : null;
        setTarget(({ count }) => ({ count: count + 1, position, chosen: held?.line === line }));
      });
    };
    void relocate();
    return () => request.abort();
  }, [search, connection, generation, currentLine, context, store, scroll]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each target
  useLayoutEffect(() => {
    if (target.count === 0) return;
    if (target.position && !target.chosen) scroll.moveTo(target.position, 'layout');
    else reveal('layout', target.position ?? undefined);
  }, [target]);

  return useCallback(() => {
    isMovedByKeys.current = true;
  }, []);
}

/** The chosen match if it is in view, else the first match in view. */
function heldMatch(search: OpenSearch, chosen: ChosenMatch, scroll: Scroll, rowCount: number): Held | null {
  const { position, height } = scroll.view.get();
  const top = position.row + (position.px > 0 ? 1 : 0);
  const isInView = chosen.line !== null && isWhollyVisible(chosen.row, position, height, UNIFORM);
  const match = isInView ? chosen : nearestMatch(search.rows, top, 1, rowCount);
  if (!match || match.line === null) return null;
  return { line: match.line, below: match.row - position.row, px: position.px };
}

/** The chosen row of the results: a matching row, or a row that is not fetched yet and stands for the match near it. */
interface ChosenMatch {
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

// Keeps the last matches in view as new ones come, while the end of the list is in view.

/** Returns the rows to fetch before the list can move on to them. */
export function useFollowResults({ search, snapshot }: Search, scroll: Scroll): RowSpan | null {
  const { rowCount, caughtUp } = snapshot;
  const { view, moveTo } = scroll;
  /** The search whose list was at its end; null when it was not. */
  const atEnd = useRef<AtEnd | null>(null);

  useEffect(() => {
    const look = () => {
      const { position, total, height } = view.get();
      if (!search || comparePositions(position, endPosition(total, height, UNIFORM)) < 0) return null;
      return {
        search,
        context: search.context,
        isWhole: total > 0 && comparePositions(position, START) === 0,
      };
    };
    // Until the whole text has been searched once, new matches go below the ones in view.
    const note = () => {
      atEnd.current = caughtUp ? look() : null;
    };
    note();
    let before = view.get();
    return view.subscribe(() => {
      const now = view.get();
      const isMoved = now.total === before.total && now.height === before.height;
      before = now;
      if (isMoved) note();
    });
  }, [search, caughtUp, view]);

  const { height } = view.get();
  const end = endPosition(rowCount, height, UNIFORM);
  const rows = search?.rows;
  const isFollowing =
    search !== null && atEnd.current !== null && follows(atEnd.current, search) && rowCount > 0;
  const isHere = rows?.row(end.row) !== undefined && rows.row(rowCount - 1) !== undefined;
  useLayoutEffect(() => {
    // Drawing the rows may have shown that the reader scrolled away.
    const isStill = isFollowing && atEnd.current !== null;
    if (isStill && isHere && comparePositions(view.get().position, end) < 0) moveTo(end, 'layout');
  });
  if (!isFollowing || isHere) return null;
  return { first: Math.max(0, rowCount - wholeRows(height) - 1), last: rowCount - 1 };
}

interface AtEnd {
  search: OpenSearch;
  /** Lines around each match. */
  context: number;
  /** Whether all of the list was in view. */
  isWhole: boolean;
}

const START = { row: 0, px: 0 };

/** A list that was wholly in view stays at its start when lines around the matches make it longer. */
function follows({ search, context, isWhole }: AtEnd, now: OpenSearch): boolean {
  return search === now && (context === now.context || !isWhole);
}
