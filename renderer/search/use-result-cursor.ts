/**
 * Which of the results is chosen: a matching row. Keys move it, what one is at in the text does, and it stays at its line when other
 * lines are shown around the matches. A row that is not fetched yet is chosen at once, and the match near it when it is there.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useConnection } from '../connection/HostProvider.tsx';
import type { During, Scroll } from '../viewer/scrolling/scroll.ts';
import {
  comparePositions,
  isWhollyVisible,
  positionRevealing,
  type ScrollPosition,
} from '../viewer/scrolling/scroll-window.ts';
import { nearestMatch } from './nearest-match.ts';
import type { Search } from './use-search.ts';

interface Chosen {
  /** From 0. */
  row: number;
  /** Null until its row is fetched; then the match is the nearest in this direction. */
  line: number | null;
  direction: 1 | -1;
}

const FIRST: Chosen = { row: 0, line: null, direction: 1 };

/** A match that stays where it is seen when other lines are shown around it. */
interface Held {
  line: number;
  /** Rows below the one at the top of the view, and the pixels of that one that are scrolled away. */
  below: number;
  px: number;
}

export function useResultCursor({ search, snapshot, at, layout }: Search, scroll: Scroll) {
  const connection = useConnection();
  const { rowCount } = snapshot;
  const { context } = layout;
  const [chosen, setChosen] = useState(FIRST);
  /** Counts the times the chosen row is to be brought into view when it is drawn. */
  const [revealed, setRevealed] = useState(0);
  /** Keys moved away from what one is at. */
  const moved = useRef(false);
  /** Where the view was to be kept, when it is not only for the chosen row. */
  const kept = useRef<{ position: ScrollPosition; withChosen: boolean } | null>(null);
  /** Called once the chosen row is fetched. */
  const whenKnown = useRef<(() => void) | null>(null);
  const latest = useRef({ chosen, rowCount, context });
  latest.current = { chosen, rowCount, context };

  const choose = useCallback((next: Chosen) => {
    latest.current.chosen = next;
    setChosen(next);
    if (next.line !== null) whenKnown.current?.();
  }, []);

  const reveal = useCallback(
    (during: During, from?: ScrollPosition) => {
      const { chosen, rowCount, context } = latest.current;
      const { position, height } = scroll.view.get();
      const next = positionRevealing(chosen.row, from ?? position, rowCount, height, context);
      if (next !== position) scroll.moveTo(next, during);
    },
    [scroll],
  );

  /** The chosen match while it is in view, else the first that is. */
  const held = useCallback((): Held | null => {
    if (!search) return null;
    const { chosen, rowCount } = latest.current;
    const { position, height } = scroll.view.get();
    const top = position.row + (position.px > 0 ? 1 : 0);
    const isSeen = chosen.line !== null && isWhollyVisible(chosen.row, position, height);
    const seen = isSeen ? chosen : nearestMatch(search.rows, top, 1, rowCount);
    if (!seen || seen.line === null) return null;
    return { line: seen.line, below: seen.row - position.row, px: position.px };
  }, [search, scroll]);

  const chosenLine = useCallback(async (signal: AbortSignal): Promise<number | null> => {
    if (latest.current.chosen.line === null) {
      await new Promise<void>((resolve) => {
        whenKnown.current = resolve;
        signal.addEventListener('abort', () => resolve());
      });
    }
    return latest.current.chosen.line;
  }, []);

  // Another search, or another text, begins at its first match.
  const generation = snapshot.state?.generation ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever these change
  useLayoutEffect(() => {
    choose(FIRST);
    reveal('layout');
  }, [search, generation, choose, reveal]);

  // Where what one is at is among the rows, only the host knows; nothing moves until it has said so.
  const atLine = at?.line ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it is another one
  useEffect(() => {
    moved.current = false;
  }, [atLine]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another text it has to be asked again
  useEffect(() => {
    // Offline: what was found stays on the screen.
    if (!search || !connection) return;
    const { chosen } = latest.current;
    const wanted = moved.current ? chosen.line : (atLine ?? chosen.line);
    const isOther = search.context !== context;
    if (!isOther && (wanted === null || wanted === chosen.line)) return;
    const request = new AbortController();
    const { signal } = request;
    // When it fails, the list begins at its start.
    const find = (line: number | null) =>
      line === null ? null : search.placeOf(line, signal).catch(() => null);
    let wasMoved = false;
    const go = async (): Promise<void> => {
      // Keys may have gone to a row that is not there yet.
      const line = moved.current ? await chosenLine(signal) : wanted;
      const before = { chosen: latest.current.chosen, position: scroll.view.get().position };
      const stays = isOther ? held() : null;
      const found = await find(line);
      const seen = stays?.line === line ? found : await find(stays?.line ?? null);
      if (signal.aborted) return;
      // Whoever went elsewhere meanwhile is not taken back.
      const isMoved = comparePositions(scroll.view.get().position, before.position) !== 0;
      wasMoved ||= isMoved;
      if (isMoved || latest.current.chosen !== before.chosen) return go();
      flushSync(() => {
        search.showContext(context);
        choose(found ? { row: found.rows[context]!, line: found.line, direction: 1 } : FIRST);
        kept.current =
          stays && seen
            ? {
                position: { row: seen.rows[context]! - stays.below, px: stays.px },
                withChosen: stays.line === line,
              }
            : null;
        // Whoever scrolled meanwhile looks at something else.
        if (isOther || !wasMoved) setRevealed((times) => times + 1);
      });
    };
    void go();
    return () => request.abort();
  }, [search, connection, generation, atLine, context, choose, held, chosenLine]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each time
  useLayoutEffect(() => {
    if (revealed === 0) return;
    const stays = kept.current;
    kept.current = null;
    if (stays && !stays.withChosen) scroll.moveTo(stays.position, 'layout');
    else reveal('layout', stays?.position);
  }, [revealed]);

  /** The match at the row, or the nearest in the direction; the nearest in the other one where there is none. */
  const chooseFrom = useCallback(
    (row: number, direction: Chosen['direction']) => {
      moved.current = true;
      const wanted = Math.max(0, Math.min(row, latest.current.rowCount - 1));
      choose(matchNear(search?.rows ?? null, wanted, direction, latest.current.rowCount));
      reveal('event');
    },
    [search, choose, reveal],
  );

  // With every change of what is fetched.
  useLayoutEffect(() => {
    if (chosen.line !== null || rowCount === 0) return;
    const found = matchNear(search?.rows ?? null, chosen.row, chosen.direction, rowCount);
    if (found.line !== null) choose(found);
  });

  return { chosen, chooseFrom };
}

function matchNear(
  rows: Parameters<typeof nearestMatch>[0] | null,
  row: number,
  direction: Chosen['direction'],
  count: number,
): Chosen {
  const found = rows && nearestMatch(rows, row, direction, count);
  return found ? { row: found.row, line: found.line, direction } : { row, line: null, direction };
}
