/** How wide the list is and whether it is shown; remembered. */
import { useCallback, useState } from 'react';
import { stored, storeText } from '../ui/stored.ts';

export interface Layout {
  /** Pixels. */
  libraryWidth: number;
  libraryOpen: boolean;
}

export const LIBRARY_MIN = 200;
export const LIBRARY_MAX = 640;
/** Below this window width the list starts closed: the text needs the room. Pixels. */
const NARROW = 760;
const KEY = 'spillway.layout';

export function useLayout() {
  const [layout, setLayout] = useState<Layout>(() => restore(stored(KEY), window.innerWidth));
  const change = useCallback((part: Partial<Layout>) => {
    setLayout((last) => {
      const next = { ...last, ...part };
      storeText(KEY, JSON.stringify(next));
      return next;
    });
  }, []);
  return { layout, change };
}

/** What was stored, as far as it makes sense; else what suits a window `width` pixels wide. */
export function restore(text: string | null, width: number): Layout {
  const usual: Layout = { libraryWidth: 300, libraryOpen: width >= NARROW };
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value !== 'object' || value === null) return usual;
    const { libraryWidth, libraryOpen } = value as Partial<Record<keyof Layout, unknown>>;
    return {
      libraryWidth:
        typeof libraryWidth === 'number' && libraryWidth >= LIBRARY_MIN && libraryWidth <= LIBRARY_MAX
          ? libraryWidth
          : usual.libraryWidth,
      libraryOpen:
        width < NARROW ? false : typeof libraryOpen === 'boolean' ? libraryOpen : usual.libraryOpen,
    };
  } catch {
    return usual;
  }
}
