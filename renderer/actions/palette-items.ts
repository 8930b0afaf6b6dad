/** Collects the palette's destinations, and finds actions and destinations by the typed words. */

import { useEffect, useRef } from 'react';
import type { IconName } from '../ui/text/Icon.tsx';
import { useIsInScope } from './registry.ts';

export interface PaletteItem {
  /** Unique among all. */
  id: string;
  /** The text to search and show. */
  text: string;
  /** The kind of item: `output`, `session`, the group of an action. */
  kind: string;
  /** Not shown, but searched: whole words, or their beginnings. */
  words?: string;
  /** Shown beside the text, and also searched. */
  detail?: string;
  icon?: IconName;
  keys?: readonly string[];
  /** Whether it answers the query without containing its words, such as a line by its number. */
  isAnswer?: boolean;
  /** Found after the others: a preference, or an action that does not apply now. */
  isAside?: boolean;
  run(): void;
}

/** Most items to show: typing another word finds an item faster than scrolling. */
export const MAX_ITEMS = 60;

/** Ranks what applies by its name before what does not apply, and that before what has the words elsewhere. */
const ASIDE_RANK = 2;

/** Returns the items that contain every word of the query, best first. Equal ones keep their order. */
export function foundItems(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked: { item: PaletteItem; rank: number }[] = [];
  for (const item of items) {
    const rank = item.isAnswer ? 0 : rankOf(item, words);
    if (rank !== null) ranked.push({ item, rank: item.isAside ? rank + ASIDE_RANK : rank });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_ITEMS)
    .map(({ item }) => item);
}

/** Lower is better; null if a word is missing. */
function rankOf(item: PaletteItem, words: readonly string[]): number | null {
  const { text, detail = '', kind } = item;
  const title = text.toLowerCase();
  const other = item.words?.toLowerCase().split(/\s+/) ?? [];
  const rest = `${detail} ${kind}`.toLowerCase();
  let rank = 1;
  for (const word of words) {
    const at = title.indexOf(word);
    if (at === 0 || other.includes(word)) continue;
    if (at < 0 && other.some((each) => each.startsWith(word))) rank += 1;
    else if (at > 0) rank += /\W/.test(title[at - 1]!) ? 1 : 2;
    else if (rest.includes(word)) rank += 4;
    else return null;
  }
  return rank;
}

/** Collects the palette's destinations: components add theirs while they are shown. */
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
