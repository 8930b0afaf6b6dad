/**
 * Finds the known message that is most like a new one, and tells whether new ones of its kind come with every run: a
 * bundler's `chunk-QWERTYUI.js` has no digits to mask, and is another one in each pass.
 */
import { type Baseline, isOnePass, type KnownMessage } from './baseline.ts';
import { isHash, wordsOf } from './messages.ts';

/** Messages with a word that are looked at; a more frequent word tells nothing. */
const MOST_OF_WORD = 400;
/** Share of words that like messages have in common; and such as begin with the same word. */
const LIKE_SHARE = 0.5;
const LIKE_SHARE_BEHIND_FIRST = 0.3;
/** Words in which messages of one kind may differ. */
const MOST_OTHER_WORDS = 2;

export interface Likeness {
  readonly known: KnownMessage;
  /** 0 to 1: share of words in common. */
  readonly share: number;
}

export class Similar {
  readonly #baseline: Baseline;
  readonly #messages: KnownMessage[] = [];
  readonly #words: string[][] = [];
  readonly #byWord = new Map<string, number[]>();
  /** For each message, the number of words that it shares with the wanted one. All zero between two searches. */
  readonly #shared: Uint16Array;

  constructor(baseline: Baseline) {
    this.#baseline = baseline;
    for (const known of baseline.known.values()) {
      const at = this.#messages.push(known) - 1;
      const words = wordsOf(known.key);
      this.#words.push(words);
      for (const word of new Set(words)) {
        const list = this.#byWord.get(word);
        if (!list) this.#byWord.set(word, [at]);
        else if (list.length <= MOST_OF_WORD) list.push(at);
      }
    }
    this.#shared = new Uint16Array(this.#messages.length);
  }

  /** The most alike, or null; and whether messages that differ from it in the same words vary from pass to pass. */
  find(key: string): { nearest: Likeness | null; varies: boolean } {
    const words = wordsOf(key);
    const found: number[] = [];
    for (const word of new Set(words)) {
      const list = this.#byWord.get(word);
      if (!list || list.length > MOST_OF_WORD) continue;
      for (const at of list) if (this.#shared[at]!++ === 0) found.push(at);
    }
    let nearest: Likeness | null = null;
    let isId = false;
    const relatives: Relative[] = [];
    for (const at of found) {
      const count = this.#shared[at]!;
      this.#shared[at] = 0;
      const others = this.#words[at]!;
      const share = (2 * count) / (words.length + others.length);
      const least = words[0] === others[0] ? LIKE_SHARE_BEHIND_FIRST : LIKE_SHARE;
      if (share >= least && (!nearest || share > nearest.share))
        nearest = { known: this.#messages[at]!, share };
      if (others.length !== words.length || count < words.length - 2 * MOST_OTHER_WORDS) continue;
      const places = placesOf(words, others);
      if (places.length === 1 && isOtherId(words, places[0]!, this.#messages[at]!)) isId = true;
      if (this.#baseline.passes === 1) continue;
      if (places.length === 0 || places.length > MOST_OTHER_WORDS || 2 * places.length >= words.length)
        continue;
      relatives.push({ places, words: others, passes: this.#passesOf(this.#messages[at]!) });
    }
    return { nearest, varies: isId || this.#varies(relatives) };
  }

  #passesOf({ counts }: KnownMessage): number {
    return counts.reduce((passes, count, pass) => (count > 0 ? passes | (1 << pass) : passes), 0);
  }

  /** Whether a pass has a message of this kind that no other pass has: then the next run has another one. */
  #varies(relatives: readonly Relative[]): boolean {
    return relatives.some(({ places }) => {
      const passesOfText = new Map<string, number>();
      for (const other of relatives) {
        if (!other.places.every((place) => places.includes(place))) continue;
        const text = places.map((place) => other.words[place]).join(' ');
        passesOfText.set(text, (passesOfText.get(text) ?? 0) | other.passes);
      }
      const isKind = passesOfText.size > 1 || this.#baseline.passes > 2;
      return isKind && [...passesOfText.values()].some(isOnePass);
    });
  }
}

/** A known message that differs from the new one in few words. */
interface Relative {
  readonly places: readonly number[];
  readonly words: readonly string[];
  /** As bits. */
  readonly passes: number;
}

/** Whether a known message has an id with digits where the new one has letters alone: as many of them. */
function isOtherId(words: readonly string[], place: number, { key, text }: KnownMessage): boolean {
  const old = wordsOf(text)[key.startsWith('\t') ? place : place - 1];
  return old !== undefined && old.length === words[place]!.length && isHash(old);
}

function placesOf(a: readonly string[], b: readonly string[]): number[] {
  const places: number[] = [];
  for (let i = 0; i < a.length && places.length <= MOST_OTHER_WORDS; i++) if (a[i] !== b[i]) places.push(i);
  return places;
}
