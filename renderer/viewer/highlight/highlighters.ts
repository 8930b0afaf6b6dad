/** The person's highlighters in the window. The host stores them, a moment after a change. */

import type { Connection } from '../../../shared/api/api.ts';
import { FREE, HIGHLIGHTERS, type Highlighter, MAX_HIGHLIGHT_CHARS } from '../../../shared/highlighters.ts';
import { createStore } from '../../ui/state/store.ts';

/** Names of the colours, in their order. */
export const COLOUR_NAMES = [
  ...['yellow', 'green', 'blue', 'pink', 'orange', 'teal', 'violet', 'red', 'lime', 'grey'],
] as const;

/** By colour. */
export const highlighters = createStore<readonly Highlighter[]>(
  Array.from({ length: HIGHLIGHTERS }, () => FREE),
);

const SAVE_AFTER_MS = 300;

let keep: (() => void) | null = null;

/** Loads the highlighters from the host, and saves changes there. Returns a function that ends this. */
export function keepHighlighters(connection: Connection): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    connection.request('setHighlighters', { highlighters: [...highlighters.get()] }).catch(() => {
      // Not saved: they last until the window closes.
    });
  };
  keep = () => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  };
  connection.request('highlighters', {}).then(
    (kept) => timer === undefined && highlighters.set(kept),
    () => {},
  );
  return () => {
    clearTimeout(timer);
    keep = null;
  };
}

export function changeHighlighter(colour: number, change: Partial<Highlighter>): void {
  highlighters.set(highlighters.get().map((each, at) => (at === colour ? { ...each, ...change } : each)));
  keep?.();
}

/**
 * Highlights a text in a free colour, or removes its highlight. Returns the colour, and whether it is on now; null if
 * all colours are taken.
 */
export function toggleText(text: string): { colour: number; on: boolean } | null {
  const all = highlighters.get();
  const pattern = text.slice(0, MAX_HIGHLIGHT_CHARS);
  const known = all.findIndex((each) => each.on && each.fixed && each.pattern === pattern);
  const free = all.findIndex((each) => each.pattern === '');
  if (known < 0 && free < 0) return null;
  if (known >= 0) changeHighlighter(known, FREE);
  else changeHighlighter(free, { ...FREE, pattern, case_sensitive: true });
  return { colour: known >= 0 ? known : free, on: known < 0 };
}
