/**
 * Stays at the end while the text grows; scrolling up pauses it, coming back to the end goes on. It
 * moves on only to rows that are here: at 100,000 lines a second the view would otherwise be blank most of the time.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RowsView } from '../document/rows-view.ts';
import type { Scroll } from '../scrolling/scroll.ts';
import { comparePlaces, lastPlace, type Place, wholeRows } from '../scrolling/scroll-window.ts';
import { afterMove, type Following } from './following.ts';
import { cameSince, type Extent, NOTHING_READ } from './waiting.ts';

/** Rows that are to be fetched before the view moves on to them; from 0, both included. */
export interface Ahead {
  first: number;
  last: number;
}

/**
 * `version` changes whenever rows were fetched.
 * @param text what is followed: another opening of it, after the host was gone, may count its generations anew
 * @param extent of the whole text, however little of it is shown
 */
export function useFollow(
  scroll: Scroll,
  rows: RowsView,
  extent: Extent,
  version: unknown,
  text: { opening: unknown; generation: number | null },
) {
  const [following, setFollowing] = useState<Following>('off');
  /** How many rows there were when it last set out for the end; null when it is there. */
  const [target, setTarget] = useState<number | null>(null);
  const latest = useRef({ scroll, extent, following });
  latest.current = { scroll, extent, following };
  /** The lowest place it was brought to: only a reader goes back above it. */
  const reached = useRef<Place>({ row: 0, px: 0 });
  /** How far the text went when it was paused. */
  const [read, setRead] = useState(NOTHING_READ);
  const { count } = rows;
  const { view } = scroll;

  // Of another text, nothing was reached yet, and nothing read.
  const { opening, generation } = text;
  const known = useRef(text);
  useLayoutEffect(() => {
    reached.current = { row: 0, px: 0 };
    if (known.current.opening === opening && known.current.generation !== generation) setRead(NOTHING_READ);
    known.current = { opening, generation };
  }, [opening, generation]);

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

  useEffect(() => {
    let before = view.get();
    return view.subscribe(() => {
      const now = view.get();
      const { following } = latest.current;
      const next = afterMove(following, before, now, reached.current);
      // Of another text, or of some lines of it, it was not brought anywhere yet.
      if (now.total < before.total) reached.current = { row: 0, px: 0 };
      if (now.height !== before.height && comparePlaces(now.place, reached.current) < 0)
        reached.current = now.place;
      before = now;
      if (next === following) return;
      setFollowing(next);
      if (next === 'paused') setRead(latest.current.extent);
    });
  }, [view]);

  const toggle = useCallback(() => {
    reached.current = { row: 0, px: 0 };
    setFollowing((now) => (now === 'on' ? 'off' : 'on'));
  }, []);
  /** Goes on when it is paused: whoever goes to the end may be there already. */
  const resume = useCallback(() => {
    if (latest.current.following !== 'paused') return;
    reached.current = { row: 0, px: 0 };
    setFollowing('on');
  }, []);
  /** Whoever goes to a line means to stay there, also where the end never came into view before. */
  const pause = useCallback(() => {
    if (latest.current.following !== 'on') return;
    setFollowing('paused');
    setRead(latest.current.extent);
  }, []);
  const ahead: Ahead | null =
    following === 'on' && target !== null
      ? { first: Math.max(0, target - wholeRows(view.get().height) - 1), last: target - 1 }
      : null;
  /** What came since it was paused. */
  const waiting = following === 'paused' ? cameSince(read, extent) : NOTHING_READ;
  return { following, waiting, toggle, resume, pause, ahead };
}

function isFetched(rows: RowsView, first: number, last: number): boolean {
  if (last < 0) return true;
  return rows.row(Math.max(0, first)) !== undefined && rows.row(last) !== undefined;
}
