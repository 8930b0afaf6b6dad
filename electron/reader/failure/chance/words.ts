/** Weighs the words of a line: how usual they are in lines that explain failures, whatever the program. */
import { lineWords } from '../lexicon/line-words.ts';
import { WORD_WEIGHTS } from './word-weights.ts';

interface WordsWorth {
  /** Added to `chance` and `naming` (chance.ts). */
  shown: number;
  named: number;
}

const weights = new Map<string, WordsWorth>();
for (const [, word, shown, named] of WORD_WEIGHTS.matchAll(/(\S+) (-?[\d.]+) (-?[\d.]+)/g)) {
  weights.set(word!, { shown: Number(shown), named: Number(named) });
}

/** Each word counts once. */
export function worthOfWords(line: string): WordsWorth {
  const worth = { shown: 0, named: 0 };
  for (const word of new Set(lineWords(line))) {
    const weight = weights.get(word);
    if (!weight) continue;
    worth.shown += weight.shown;
    worth.named += weight.named;
  }
  return worth;
}
