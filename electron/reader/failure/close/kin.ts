/**
 * Tells how much a line shares with what the output says last: rare words, in whatever case and as parts of whatever
 * names.
 */
import { Buffer } from 'node:buffer';
import { HashCounts } from '../scan/hash-slots.ts';
import type { CloseLines } from './close-lines.ts';
import { IS_NUMBER, LineSplitter } from './line-splitter.ts';

/** Lines with words that count as last. */
const LAST_LINES = 10;
const STRONG_SHARE = 0.7;
const MOST_BYTES = 256;
/** So many bits of shared rarity count in full. */
const FULL_BITS = 24;
const FULL_FIGURE_BITS = 8;
/** Words with fewer bits are common. */
const COMMON_BITS = 3;
/** With more words than this, some are shared by chance. */
const FEW_WORDS = 12;

export interface Kinship {
  /** 0 to 1: how much it shares. */
  readonly bits: number;
  /** From 0 to 1: how much of the line's rare words the other line shares. */
  readonly share: number;
  /** 0 to 1: rare numbers that it shares. */
  readonly figures: number;
  /** As `bits`, with the last lines alone. */
  readonly end: number;
}

export const NO_KIN: Kinship = { bits: 0, share: 0, figures: 0, end: 0 };

export class Kin {
  readonly #close: CloseLines;
  /** How often a word comes. */
  readonly #counts: HashCounts;
  readonly #last = new Weights();
  /** Also those of strong lines. */
  readonly #all = new Weights();
  /** Number of the first of the last lines. */
  readonly #first: number;
  readonly #strong: ReadonlySet<number>;

  /** `strong`: other lines that speak of a failure. */
  constructor(close: CloseLines, strong: readonly { number: number; text: string }[]) {
    this.#close = close;
    const { words, wordCount } = close.splitter;
    this.#counts = new HashCounts(wordCount);
    for (let w = 0; w < wordCount; w++) this.#counts.add(words[w]!);
    let found = 0;
    let i = close.count;
    while (i > 0 && found < LAST_LINES) {
      const [from, to] = close.wordsOf(--i);
      if (from === to) continue;
      for (let w = from; w < to; w++) {
        const weight = this.#rarity(words[w]!) * (1 - 0.06 * found);
        this.#last.raise(words[w]!, weight);
        this.#all.raise(words[w]!, weight);
      }
      found++;
    }
    this.#first = close.numbers[i] ?? 0;
    this.#strong = new Set(strong.map(({ number }) => number));
    for (const { text } of strong) {
      for (const word of wordsOfText(text)) this.#all.raise(word, this.#rarity(word) * STRONG_SHARE);
    }
  }

  /** By a line's index. */
  ofClose(index: number): Kinship {
    const number = this.#close.numbers[index]!;
    if (number >= this.#first) return NO_KIN;
    const [from, to] = this.#close.wordsOf(index);
    return this.#shared(this.#close.splitter.words, from, to, number);
  }

  /** Returns the kinship of a line that is not among the close ones. */
  ofText({ text, number }: { text: string; number: number }): Kinship {
    const words = wordsOfText(text);
    return this.#shared(words, 0, words.length, number);
  }

  #shared(words: Int32Array, from: number, to: number, number: number): Kinship {
    const weights = this.#strong.has(number) ? this.#last : this.#all;
    let shared = 0;
    let figures = 0;
    let end = 0;
    for (let w = from; w < to; w++) {
      const weight = weights.of(words[w]!);
      if (weight === 0 || !isFirst(words, from, w)) continue;
      if ((words[w]! & IS_NUMBER) !== 0) figures += weight;
      else {
        shared += weight;
        end += this.#last.of(words[w]!);
      }
    }
    if (shared === 0 && figures === 0) return NO_KIN;
    let own = 1e-9;
    let count = 0;
    for (let w = from; w < to; w++) {
      if ((words[w]! & IS_NUMBER) !== 0 || !isFirst(words, from, w)) continue;
      count++;
      own += weights.of(words[w]!) || Math.max(0, this.#bits(words[w]!));
    }
    const many = Math.max(0, count - FEW_WORDS) / (2 * FEW_WORDS);
    return {
      bits: Math.min(1, shared / FULL_BITS / (1 + many)),
      share: shared / own,
      figures: Math.min(1, figures / FULL_FIGURE_BITS),
      end: Math.min(1, end / FULL_BITS / (1 + many)),
    };
  }

  /** 0 for a word that no other line has. */
  #rarity(word: number): number {
    const bits = this.#bits(word);
    return bits < 1 || this.#counts.of(word) < 2 ? 0 : bits;
  }

  /** Beyond those of common words. */
  #bits(word: number): number {
    return Math.log2(Math.max(2, this.#close.count) / Math.max(1, this.#counts.of(word))) - COMMON_BITS;
  }
}

/** Weights of few words. Most lookups end at a bit that is not set. */
class Weights {
  readonly #filter = new Uint8Array(FILTER);
  readonly #weights = new Map<number, number>();

  raise(word: number, weight: number): void {
    if (weight <= this.of(word)) return;
    this.#filter[word & (FILTER - 1)] = 1;
    this.#weights.set(word, weight);
  }

  of(word: number): number {
    return this.#filter[word & (FILTER - 1)] === 0 ? 0 : (this.#weights.get(word) ?? 0);
  }
}

const FILTER = 1 << 13;

function isFirst(words: Int32Array, from: number, at: number): boolean {
  for (let w = from; w < at; w++) if (words[w] === words[at]) return false;
  return true;
}

function wordsOfText(text: string): Int32Array {
  const bytes = Buffer.from(text.slice(0, MOST_BYTES));
  const splitter = new LineSplitter(bytes.length);
  splitter.split(bytes, 0, bytes.length);
  return splitter.words.subarray(0, splitter.wordCount);
}
