/** The match that the reader is at, and going to the next and the previous one. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import type { SearchSettings } from '../bar/search-settings.ts';
import type { Direction, OpenSearch, SearchSnapshot } from '../open-search.ts';
import { isBadPattern } from '../search-phases.ts';
import { nextOrRound, settledSearch } from './next-match.ts';

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
