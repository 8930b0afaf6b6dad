/** How wide the list is and whether it is shown, beside the text or over it. */
import { useCallback, useState, useSyncExternalStore } from 'react';
import { stored, storeText } from '../../ui/state/stored.ts';

interface Layout {
  /** Pixels. */
  libraryWidth: number;
  libraryOpen: boolean;
}

export const LIBRARY_MIN_PX = 200;
export const LIBRARY_MAX_PX = 640;
/**
 * The list needs some 300 pixels, the text 420 (its toolbar and streams, a search's switches and count, some eighty
 * characters). In a narrower window the list covers the text, and is closed until called.
 */
const NARROW = '(max-width: 759.98px)';
const KEY = 'spillway.layout';

export function useLayout() {
  const over = useSyncExternalStore(subscribe, isNarrow);
  const [kept, setKept] = useState<Layout>(() => restore(stored(KEY)));
  // In a narrow window the list opens only for a moment; don't remember that.
  const [called, setCalled] = useState(false);
  if (called && !over) setCalled(false);
  const change = useCallback(
    ({ libraryOpen, ...others }: Partial<Layout>) => {
      if (over && libraryOpen !== undefined) setCalled(libraryOpen);
      const kept = over || libraryOpen === undefined ? others : { ...others, libraryOpen };
      if (Object.keys(kept).length === 0) return;
      setKept((last) => {
        const next = { ...last, ...kept };
        storeText(KEY, JSON.stringify(next));
        return next;
      });
    },
    [over],
  );
  return { layout: over ? { ...kept, libraryOpen: called } : kept, over, change };
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

function isNarrow(): boolean {
  return matchMedia(NARROW).matches;
}

/** Parses a stored layout; uses defaults for missing or invalid values. */
export function restore(text: string | null): Layout {
  const usual: Layout = { libraryWidth: 300, libraryOpen: true };
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value !== 'object' || value === null) return usual;
    const { libraryWidth, libraryOpen } = value as Partial<Record<keyof Layout, unknown>>;
    return {
      libraryWidth:
        typeof libraryWidth === 'number' && libraryWidth >= LIBRARY_MIN_PX && libraryWidth <= LIBRARY_MAX_PX
          ? libraryWidth
          : usual.libraryWidth,
      libraryOpen: typeof libraryOpen === 'boolean' ? libraryOpen : usual.libraryOpen,
    };
  } catch {
    return usual;
  }
}
