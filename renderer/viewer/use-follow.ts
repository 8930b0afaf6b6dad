/** Stays at the end while the text grows; scrolling up pauses it, coming back to the end goes on. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { comparePlaces, lastPlace, type Place } from './scroll-window.ts';
import type { ScrollWindow } from './use-scroll-window.ts';

export type Following = 'off' | 'on' | 'paused';

export function useFollow(scroll: ScrollWindow, total: number) {
  const [following, setFollowing] = useState<Following>('off');
  const latest = useRef({ scroll, following });
  latest.current = { scroll, following };
  /** The lowest place it was brought to: only a reader goes back above it. */
  const reached = useRef<Place>({ row: 0, px: 0 });

  useLayoutEffect(() => {
    if (following !== 'on') return;
    const { view, moveTo } = latest.current.scroll;
    const end = lastPlace(total, view.get().height);
    reached.current = end;
    if (comparePlaces(view.get().place, end) !== 0) moveTo(end, 'layout');
  }, [following, total]);

  const { view } = scroll;
  useEffect(
    () =>
      view.subscribe(() => {
        const { following } = latest.current;
        if (following === 'off') return;
        const { place, height, total } = view.get();
        const atEnd = comparePlaces(place, lastPlace(total, height)) >= 0;
        if (following === 'on' && !atEnd && comparePlaces(place, reached.current) < 0) setFollowing('paused');
        if (following === 'paused' && atEnd) setFollowing('on');
      }),
    [view],
  );

  const toggle = useCallback(() => setFollowing((now) => (now === 'on' ? 'off' : 'on')), []);
  return { following, toggle };
}
