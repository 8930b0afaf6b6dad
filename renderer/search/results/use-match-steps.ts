/** The match that the reader is at, and going to the next and the previous one. */

import { useEffect, useRef, useState } from 'react';
import { toSpillwayError } from '../../../shared/errors.ts';
import { plural } from '../../../shared/text/format.ts';
import { createStore, firstValue, type Store } from '../../ui/state/store.ts';
import { useSteady } from '../../ui/state/use-steady.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import {
  type Direction,
  hasBegun,
  isBadPattern,
  isSettled,
  type NextMatch,
  type OpenSearch,
  type SearchSnapshot,
} from '../open-search.ts';
import { queryOf, type SearchSettings } from '../search-settings.ts';

/** `line` counts from 1, `index` among all matches from 0. */
interface CurrentMatch {
  line: number;
  index: number;
}

interface MatchStepsOptions {
  viewer: Viewer;
  settings: SearchSettings;
  search: OpenSearch | null;
  snapshot: SearchSnapshot;
  say: (message: string) => void;
}

export function useMatchSteps({ viewer, settings, search, snapshot, say }: MatchStepsOptions) {
  const [current, setCurrent] = useState<CurrentMatch | null>(null);
  /** Up to date at once, while `current` waits for the next render. */
  const position = useRef<CurrentMatch | null>(null);
  /** Whether no match of this search was gone to: the first step goes to the selected line if it matches. */
  const isFresh = useRef(true);
  /** The shown search; its listeners are also called when it finds something. */
  const [shown] = useState(() => createStore({ search, settings, viewer }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another snapshot says that it found something
  useEffect(() => shown.set({ search, settings, viewer }), [search, settings, viewer, snapshot]);

  const arrive = (match: CurrentMatch | null) => {
    isFresh.current &&= match === null;
    position.current = match;
    setCurrent(match);
  };

  // The current match belongs to one search of one text.
  const generation = snapshot.state?.generation ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever these change
  useEffect(() => {
    isFresh.current = true;
    arrive(null);
  }, [search, generation]);

  // Selecting another line leaves the match.
  const { selection, pending } = viewer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `arrive` only sets states
  useEffect(() => {
    // Only when `current` is rendered: an older selection may still belong to the match before.
    const isRendered = current === position.current;
    if (isRendered && current && !pending && selection && selection.focus !== current.line) arrive(null);
  }, [selection, pending, current]);

  const stepOnce = async (direction: Direction, asked: SearchSettings) => {
    const search = await settledSearch(shown, asked);
    // The field says what is wrong with the pattern.
    if (!search || isBadPattern(search)) return;
    const { viewer } = shown.get();
    const isBack = direction === 'previous';
    const selected = viewer.selectedLineInView();
    const isInclusive = !isBack && (isFresh.current || selected === null);
    const first = isInclusive ? (selected ?? viewer.topLine()) - 1 : viewer.currentLine();
    const from = position.current?.line ?? first;
    try {
      const isShown = () => shown.get().search === search;
      const found = await nextOrRound(search, Math.max(0, from), direction, isShown);
      if (!isShown()) return;
      if (found === 'none yet') return say('No further match was found so far');
      if (found.wrapped && found.line_number !== position.current?.line)
        say(isBack ? 'Search wrapped to the last match' : 'Search wrapped to the first match');
      if (found.line_number === null || found.index === null)
        return say(search.snapshot().state?.done ? 'No line matches' : 'No match was found so far');
      arrive({ line: found.line_number, index: found.index });
      shown.get().viewer.showLine(found.line_number, 'unless visible');
    } catch (error) {
      if (toSpillwayError(error).code !== 'cancelled') say(toSpillwayError(error).message);
    }
  };

  const goToNumber = async (number: number, asked: SearchSettings) => {
    const search = await settledSearch(shown, asked);
    if (!search || isBadPattern(search)) return;
    try {
      await foundSoMany(search, number);
      const line = await search.lineOfMatch(number - 1, new AbortController().signal);
      if (shown.get().search !== search) return;
      const { total, state } = search.snapshot();
      if (line === null)
        return say(
          `${plural(total, 'line')} ${total === 1 ? 'matches' : 'match'}${state?.done ? '' : ' so far'}`,
        );
      arrive({ line, index: number - 1 });
      shown.get().viewer.showLine(line, 'always');
    } catch (error) {
      if (toSpillwayError(error).code !== 'cancelled') say(toSpillwayError(error).message);
    }
  };

  /** Steps run one after the other, however fast they come. */
  const queue = useRef<Promise<void>>(Promise.resolve());
  const { goTo, showLine, step, goToMatch } = useSteady({
    goTo(match: CurrentMatch, move: 'always' | 'unless visible' = 'always') {
      arrive(match);
      viewer.showLine(match.line, move);
    },
    /** Shows a context line; the reader is then at no match. */
    showLine(line: number) {
      arrive(null);
      viewer.showLine(line, 'always');
    },
    step(direction: Direction) {
      queue.current = queue.current.then(() => stepOnce(direction, settings));
    },
    /** Goes to a match by its number, from 1. */
    goToMatch(number: number) {
      queue.current = queue.current.then(() => goToNumber(number, settings));
    },
  });
  return { current, goTo, showLine, step, goToMatch };
}

/** Waits until so many lines were found, the search has ended, or some seconds have passed. */
async function foundSoMany(search: OpenSearch, count: number): Promise<void> {
  const isThere = () => {
    const { total, state, error, cancelled } = search.snapshot();
    return total >= count || state?.done || error !== null || cancelled || undefined;
  };
  await firstValue(search.subscribe, isThere, MAX_FINDING_MS);
}

/** Longest wait for a host that is too busy to begin. */
const MAX_BEGINNING_MS = 20_000;
/** Longest wait for a search that has found nothing so far. */
const MAX_FINDING_MS = 5000;

type Shown = Pick<Store<{ search: OpenSearch | null; settings: SearchSettings }>, 'get' | 'subscribe'>;

/**
 * Waits until the search for the pattern in the field has found something or ended, and returns it. For a moment after
 * the last key, the search before is still shown. After some seconds, returns the search as it is. Returns null
 * without a pattern, or after the field has changed from what was `asked`.
 */
export async function settledSearch(shown: Shown, asked: SearchSettings): Promise<OpenSearch | null> {
  const wanted = JSON.stringify(queryOf(asked));
  const when = (isReady: (search: OpenSearch) => boolean, ms: number) =>
    firstValue(
      shown.subscribe,
      () => {
        const { search, settings } = shown.get();
        const query = queryOf(settings);
        if (!query || JSON.stringify(query) !== wanted) return null;
        const isIt = search !== null && JSON.stringify(search.query) === wanted;
        return isIt && isReady(search) ? search : undefined;
      },
      ms,
    );
  if ((await when(hasBegun, MAX_BEGINNING_MS)) === null) return null;
  const settled = await when(isSettled, MAX_FINDING_MS);
  return settled === undefined ? shown.get().search : settled;
}

/**
 * The nearest match beyond the line; from the other end of the text when there is none. Waits until the search has come
 * to the line, for 5 s at most.
 *
 * @param isShown stops waiting when it returns false
 */
export async function nextOrRound(
  search: OpenSearch,
  line: number,
  direction: Direction,
  isShown: () => boolean,
): Promise<(NextMatch & { wrapped: boolean }) | 'none yet'> {
  const isNext = direction === 'next';
  const ask = (line: number, direction: Direction) =>
    search.next(Math.max(0, line), direction, new AbortController().signal);
  const end = performance.now() + MAX_FINDING_MS;
  while (isShown() && performance.now() < end) {
    const before = search.snapshot();
    // Before it is asked: it may end while the answer is on its way.
    const isWhole = before.state?.done === true || before.error !== null || before.cancelled;
    const found = await ask(line, direction);
    const isNearest = isWhole || isNext || (await ask(line - 1, 'next')).line_number !== null;
    if (found.line_number !== null && isNearest) return { ...found, wrapped: false };
    if (isWhole) return { ...(await ask(isNext ? 0 : Number.MAX_SAFE_INTEGER, direction)), wrapped: true };
    const isOther = () => (search.snapshot() === before && isShown() ? undefined : true);
    await firstValue(search.subscribe, isOther, end - performance.now());
  }
  return 'none yet';
}
