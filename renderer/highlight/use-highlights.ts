/** The highlights of a drawn text. */
import { createContext, useCallback, useContext, useEffect, useSyncExternalStore } from 'react';
import { noSubscription } from '../ui/state/store.ts';
import type { Highlight, TextHighlights } from './text-highlights.ts';

/** Null without highlights. */
export const Highlights = createContext<TextHighlights | null>(null);

/** Returns null while unknown, and requests them. */
export function useHighlights(text: string): readonly Highlight[] | null {
  const highlights = useContext(Highlights);
  const read = useCallback(() => highlights?.of(text) ?? null, [highlights, text]);
  const subscribe = highlights?.subscribe ?? noSubscription;
  const found = useSyncExternalStore(subscribe, read);
  const round = useSyncExternalStore(
    subscribe,
    useCallback(() => highlights?.round ?? 0, [highlights]),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another round it is asked for anew
  useEffect(() => {
    if (found === null) highlights?.want(text);
  }, [highlights, text, found, round]);
  return found;
}
