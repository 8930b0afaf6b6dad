/**
 * Stays at the end while the text grows; scrolling up pauses it, coming back to the end goes on. It
 * moves on only to rows that are here: at 100,000 lines a second the view would otherwise be blank most of the time.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RowsView } from './rows-view.ts';
import type { Scroll } from './scroll.ts';
import { comparePlaces, lastPlace, type Place, wholeRows } from './scroll-window.ts';

export type Following = 'off' | 'on' | 'paused';

/** Rows that are to be fetched before the view moves on to them; from 0, both included. */
export interface Ahead {
  first: number;
  last: number;
}

/** `version` changes whenever rows were fetched. */
export function useFollow(scroll: Scroll, rows: RowsView, version: unknown) {
  const [following, setFollowing] = useState<Following>('off');
  /** How many rows there were when it last set out for the end; null when it is there. */
  const [target, setTarget] = useState<number | null>(null);
  const latest = useRef({ scroll, following });
  latest.current = { scroll, following };
  /** The lowest place it was brought to: only a reader goes back above it. */
  const reached = useRef<Place>({ row: 0, px: 0 });
  /** How many rows there were when it was paused. */
  const [read, setRead] = useState(0);
  const { count } = rows;
  const { view } = scroll;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version may hold what is waited for
  useLayoutEffect(() => {
    if (following !== 'on') return setTarget(null);
    const { height, place } = view.get();
    const wanted = Math.min(target ?? count, count);
    const end = lastPlace(wanted, height);
    if (target === null && comparePlaces(place, end) === 0 && isFetched(rows, wanted - 1, wanted - 1)) {
      reached.current = end;
      return;
    }
    if (!isFetched(rows, end.row, wanted - 1)) return setTarget(wanted);
    reached.current = end;
    setTarget(wanted < count ? count : null);
    latest.current.scroll.moveTo(end, 'layout');
  }, [following, rows, count, target, version]);

  useEffect(
    () =>
      view.subscribe(() => {
        const { following } = latest.current;
        if (following === 'off') return;
        const { place, height, total } = view.get();
        const atEnd = comparePlaces(place, lastPlace(total, height)) >= 0;
        if (following === 'on' && !atEnd && comparePlaces(place, reached.current) < 0) {
          setFollowing('paused');
          setRead(total);
        }
        if (following === 'paused' && atEnd) setFollowing('on');
      }),
    [view],
  );

  const toggle = useCallback(() => {
    reached.current = { row: 0, px: 0 };
    setFollowing((now) => (now === 'on' ? 'off' : 'on'));
  }, []);
  const ahead: Ahead | null =
    following === 'on' && target !== null
      ? { first: Math.max(0, target - wholeRows(view.get().height) - 1), last: target - 1 }
      : null;
  /** Lines that came since it was paused; of a shorter text, all of them did. */
  const waiting = following === 'paused' ? (count < read ? count : count - read) : 0;
  return { following, waiting, toggle, ahead };
}

function isFetched(rows: RowsView, first: number, last: number): boolean {
  if (last < 0) return true;
  return rows.row(Math.max(0, first)) !== undefined && rows.row(last) !== undefined;
}
