/** Tells whether a line names a file in a folder that few lines name, such as the project's own folder in a trace. */
import type { Weighed } from '../weighed.ts';

/** The first two folders of an absolute path. */
const PLACE = /(?<![\w.~-])\/[\w.+@-]+\/[\w.+@-]+(?=\/)/gu;
const MOST_CHARS = 240;
/** If fewer lines than this name a folder, no folder is rare. */
const FEWEST_LINES = 24;
const FULL_BITS = 8;

export class RarePlaces {
  readonly #counts = new Map<string, number>();
  #lines = 0;

  constructor(candidates: readonly Weighed[]) {
    for (const { line } of candidates) {
      const places = placesIn(line.text);
      if (places.size > 0) this.#lines++;
      for (const place of places) this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
    }
  }

  /** From 0 to 1. */
  of(text: string): number {
    if (this.#lines < FEWEST_LINES) return 0;
    let rarest = this.#lines;
    for (const place of placesIn(text)) rarest = Math.min(rarest, this.#counts.get(place) ?? 1);
    return Math.min(1, Math.log2(this.#lines / rarest) / FULL_BITS);
  }
}

function placesIn(text: string): Set<string> {
  return new Set(text.slice(0, MOST_CHARS).match(PLACE));
}
