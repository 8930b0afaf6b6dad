/** Collects the palette's destinations: components add theirs while they are shown. */
import { useEffect, useRef } from 'react';
import { useIsInScope } from '../action-scope.ts';
import type { PaletteItem } from './palette-items.ts';

type Source = (query: string) => readonly PaletteItem[];

const sources: Source[] = [];
const nothing: Source = () => [];

/** Adds items to the palette while the component is shown. `source` is called for each query. */
export function usePaletteSource(source: Source): void {
  const isInScope = useIsInScope();
  const latest = useRef<Source>(source);
  latest.current = isInScope ? source : nothing;
  useEffect(() => {
    const asked: Source = (query) => latest.current(query);
    sources.unshift(asked);
    return () => {
      sources.splice(sources.indexOf(asked), 1);
    };
  }, []);
}

export function paletteDestinations(query: string): PaletteItem[] {
  return sources.flatMap((source) => source(query));
}
