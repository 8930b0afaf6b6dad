/** Finds the match that a step goes to, in a search that may only be beginning. */
import { queryOf, type SearchSettings } from '../bar/search-settings.ts';
import type { Direction, NextMatch, OpenSearch } from '../open-search.ts';
import { hasTold, isSettled } from '../search-phases.ts';

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
