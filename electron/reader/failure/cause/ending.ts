/** Tells whether an output ends in a message or a step. One that ends in data does not say that it failed. */
import { evidenceOf } from '../evidence.ts';
import { STEP_START } from '../lexicon/structure.ts';
import type { LogLines } from '../log-lines.ts';

const LAST_LINES = 3;
const FEWEST_WORDS = 2;
/** Rows of data have more other tokens for each word. */
const MOST_TOKENS_A_WORD = 4;
const WORD = /(?<![^\s([{<"'«“:>|-])(?![a-f]+\b)\p{L}{3,}\d*(?![^\s)\]}>"'»”.,:;!?|-])/giu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u;

/** `hints`: last lines of the command's other stream. */
export function endsInMessage(lines: LogLines, hints: readonly string[]): boolean {
  const last = lines.last(LAST_LINES).map(({ text }) => text);
  return [...last, ...hints].some(isMessage);
}

function isMessage(text: string): boolean {
  if (UNSPACED.test(text) || STEP_START.test(text)) return true;
  const words = text.match(WORD)?.length ?? 0;
  if (words >= FEWEST_WORDS && words * MOST_TOKENS_A_WORD >= text.trim().split(/\s+/).length) return true;
  const { weight, surrounds } = evidenceOf(text);
  return weight >= 1 && !surrounds;
}
