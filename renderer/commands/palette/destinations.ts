/** Collects the palette's destinations: components add theirs while they are shown. */
import { useEffect, useRef } from 'react';
import { useIsInScope } from '../action-scope.ts';
import type { PaletteItem } from './palette-items.ts';

type Destinations = (query: string) => readonly PaletteItem[];

const all: Destinations[] = [];
const nowhere: Destinations = () => [];

/** Adds items to the palette while the component is shown. `destinations` is called for each query. */
export function usePaletteDestinations(destinations: Destinations): void {
  const isInScope = useIsInScope();
  const latest = useRef<Destinations>(destinations);
  latest.current = isInScope ? destinations : nowhere;
  useEffect(() => {
    const asked: Destinations = (query) => latest.current(query);
    all.unshift(asked);
    return () => {
      all.splice(all.indexOf(asked), 1);
    };
  }, []);
}

export function paletteDestinations(query: string): PaletteItem[] {
  return all.flatMap((destinations) => destinations(query));
}
