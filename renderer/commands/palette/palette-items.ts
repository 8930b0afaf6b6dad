/** Finds the palette's actions and destinations by the typed words. */
import type { IconName } from '../../ui/words/Icon.tsx';

export interface PaletteItem {
  /** Unique among all. */
  id: string;
  /** The text that is searched and shown. */
  text: string;
  /** Says what kind of thing it is: `output`, `session`, the group of an action. */
  kind: string;
  /** Beside the text, and found too. */
  detail?: string;
  icon?: IconName;
  keys?: readonly string[];
  /** It answers what was typed, whatever its text: a line by its number. */
  isAnswer?: boolean;
  run(): void;
}

/** More are not shown: another word finds what is wanted sooner than scrolling. */
export const MAX_ITEMS = 60;

/** The items that have every word of the query, the best first; in their order where they are as good. */
export function foundItems(items: readonly PaletteItem[], query: string): PaletteItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked: { item: PaletteItem; rank: number }[] = [];
  for (const item of items) {
    const rank = item.isAnswer ? 0 : rankOf(item, words);
    if (rank !== null) ranked.push({ item, rank });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_ITEMS)
    .map(({ item }) => item);
}

/** Lower is better; null when a word is nowhere. */
function rankOf({ text, detail = '', kind }: PaletteItem, words: readonly string[]): number | null {
  const title = text.toLowerCase();
  const rest = `${detail} ${kind}`.toLowerCase();
  let rank = 1;
  for (const word of words) {
    const at = title.indexOf(word);
    if (at === 0) continue;
    if (at > 0) rank += /\W/.test(title[at - 1]!) ? 1 : 2;
    else if (rest.includes(word)) rank += 4;
    else return null;
  }
  return rank;
}
