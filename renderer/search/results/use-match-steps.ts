/** The match that the reader is at, and going to the next and the previous one. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import {
  type Direction,
  hasTold,
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

export function useMatchSteps(options: MatchStepsOptions) {
  const { viewer, search, snapshot } = options;
  const [current, setCurrent] = useState<CurrentMatch | null>(null);
  /** Up to date at once, while `current` waits for the next render. */
  const position = useRef<CurrentMatch | null>(null);
  const latest = useRef(options);
  latest.current = options;

  const arrive = useCallback((match: CurrentMatch | null) => {
    position.current = match;
    setCurrent(match);
  }, []);

  // The current match belongs to one search of one text.
  const generation = snapshot.state?.generation ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever these change
  useEffect(() => arrive(null), [search, generation, arrive]);

  // Selecting another line leaves the match.
  const { selection, pending } = viewer;
  useEffect(() => {
    // Only when `current` is rendered: an older selection may still belong to the match before.
    const isRendered = current === position.current;
    if (isRendered && current && !pending && selection && selection.focus !== current.line) arrive(null);
  }, [selection, pending, current, arrive]);

  const goTo = useCallback(
    (match: CurrentMatch) => {
      arrive(match);
      latest.current.viewer.showLine(match.line, 'always');
    },
    [arrive],
  );

  /** Shows a context line; the reader is then at no match. */
  const showLine = useCallback(
    (line: number) => {
      arrive(null);
      latest.current.viewer.showLine(line, 'always');
    },
    [arrive],
  );

  const stepOnce = useCallback(
    async (direction: Direction, asked: SearchSettings) => {
      const search = await settledSearch(() => latest.current, asked);
      // The field says what is wrong with the pattern.
      if (!search || isBadPattern(search)) return;
      const { viewer, say } = latest.current;
      const isBack = direction === 'previous';
      // From the top of the view, its first line counts; from a selected line, the search goes on after it.
      const isInclusive = !isBack && viewer.selectedLineInView() === null;
      const from = position.current?.line ?? (isInclusive ? viewer.topLine() - 1 : viewer.currentLine());
      try {
        const isShown = () => latest.current.search === search;
        const found = await nextOrRound(search, Math.max(0, from), direction, isShown);
        if (!isShown()) return;
        if (found === 'none yet') return say('No further match was found so far');
        if (found.wrapped && found.line_number !== position.current?.line)
          say(isBack ? 'Search wrapped to the last match' : 'Search wrapped to the first match');
        if (found.line_number === null || found.index === null) return say(noneWords(search));
        arrive({ line: found.line_number, index: found.index });
        latest.current.viewer.showLine(found.line_number, 'unless visible');
      } catch (error) {
        if (toSpillwayError(error).code !== 'cancelled') say(toSpillwayError(error).message);
      }
    },
    [arrive],
  );

  /** Steps run one after the other, however fast they come. */
  const queue = useRef<Promise<void>>(Promise.resolve());
  const step = useCallback(
    (direction: Direction) => {
      const { settings } = latest.current;
      queue.current = queue.current.then(() => stepOnce(direction, settings));
    },
    [stepOnce],
  );

  return { current, goTo, showLine, step };
}

function noneWords(search: OpenSearch): string {
  return search.snapshot().state?.done ? 'No line matches' : 'No match was found so far';
}

/** Finds the match that a step goes to, in a search that may only be beginning. */
const LOOK_AGAIN_MS = 20;
/** Looks at a search that has found nothing so far: 5 s. */
const MAX_LOOKS = 250;
/** Looks in all: a busy host may take seconds to begin. */
const MAX_WAITS = 1000;

/**
 * Waits until the search for the pattern in the field has found something or ended, and returns it. For a moment after
 * the last key, the search before is still shown. After some seconds, returns the search as it is. Returns null
 * without a pattern, or after the field has changed from what was `asked`.
 */
export async function settledSearch(
  now: () => { search: OpenSearch | null; settings: SearchSettings },
  asked: SearchSettings,
): Promise<OpenSearch | null> {
  const wanted = JSON.stringify(queryOf(asked));
  for (let look = 0, wait = 0; look < MAX_LOOKS && wait < MAX_WAITS; wait += 1) {
    const { search, settings } = now();
    const query = queryOf(settings);
    if (!query || JSON.stringify(query) !== wanted) return null;
    const isIt = search !== null && JSON.stringify(search.query) === wanted;
    // One that has told nothing yet is only about to begin.
    if (isIt && hasTold(search)) look += 1;
    if (isIt && isSettled(search)) return search;
    await lookAgain();
  }
  return now().search;
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
  for (let look = 0; look < MAX_LOOKS && isShown(); look += 1) {
    // Before it is asked: it may end while the answer is on its way.
    const isWhole = hasEnded(search);
    const found = await ask(search, line, direction);
    const isNearest = isWhole || isNext || (await ask(search, line - 1, 'next')).line_number !== null;
    if (found.line_number !== null && isNearest) return { ...found, wrapped: false };
    if (isWhole) {
      const end = isNext ? 0 : Number.MAX_SAFE_INTEGER;
      return { ...(await ask(search, end, direction)), wrapped: true };
    }
    await lookAgain();
  }
  return 'none yet';
}

/** Whether the search finds nothing more. */
function hasEnded(search: OpenSearch): boolean {
  const { state, error, cancelled } = search.snapshot();
  return state?.done === true || error !== null || cancelled;
}

function ask(search: OpenSearch, line: number, direction: Direction): Promise<NextMatch> {
  return search.next(Math.max(0, line), direction, new AbortController().signal);
}

function lookAgain(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
}
