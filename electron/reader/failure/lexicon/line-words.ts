/** Takes a line apart into words, and weighs general ones: what they tell of a line, whatever the program. */

/**
 * Each word, and what it adds to a line's `shown` and `named` (model.ts). Each occurs in lines that explain failures of at
 * least six tools or projects. None is the name of one.
 */
const WORDS = [
  // A reason, or what was done instead of what was asked for.
  `
  after 0.4 0.4, already 0.2 0.4, applied -0.2 0.5, because 0.9 0.9, been 0.6 0.1, but 0.6 0.4,
  cannot -0.5 0.2, copy 1 0.7, could -0.7 -0.3, default 0.7 0.2, duplicate 0.6 0.5, exist -0.4 -0.7,
  exists 0.4 0.4, expected 0.6 0.2, extra 0.5 0.4, first 0.2 0.4, found 0.9 0.5, from 0.9 0.7, has 0.6 0.4,
  ignored 1 1, ignoring 0.8 0.7, left -0.2 0.3, match 0.1 0.6, matched 1 0.9, matching 0.3 0.4,
  missing -0.7 -0.3, no 0.9 0.2, not -0.4 -0.3, null -0.4 -0.4, old 1.5 1.1, one 0.3 0.4, requested -0.2 0.5,
  result 1.1 0.7, skipped 0.3 0.6, skipping 0.6 0.8, specify 0.3 0.5, such -0.3 -0.6, true 0.6 0.3,
  undefined 0.7 0.5, unexpected 0.7 1.3, using 0.7 0.3, was 0.4 0.7
  `,
  // Settings and data that decide how a program behaves.
  `
  api 0.8 0.5, app 1 0.8, binary 0.1 0.4, code 0.6 -0.1, conf 0.6 0.6, config 0.8 0.7, csv 0.6 0.6,
  date 0.4 0.5, display 0.7 1.2, env 1.3 0.8, frame 0.5 0.5, heap 0.8 0.6, home 1 0.4, http 0.2 0.7,
  image 0.8 0.8, json 0.7 0.8, key 0.6 0.6, lib 0.5 0, limits 0.5 0.8, loaded 0.7 0.6, local 0 0.2,
  memory 0.3 0.3, messages 0.3 0.6, number 0.3 0.4, offset 0.6 0.6, pattern 0.7 0.5, policy 1.1 0.6,
  pool 0.7 0.5, rate -0.1 0.3, rates 1.1 0.8, reference 0.2 0.5, region 0.5 0.5, rule 0.3 0.4, server 0.3 0.5,
  service 0.9 0.3, set 0.1 0.4, source 0.5 0.6, sql 0.9 0.8, stage 0.7 0.6, step 0.3 0.3, system 0.1 0.4,
  table 0.5 0.2, tag 0.8 0.5, time 0.6 0.5, type 0.5 0.3, types 0.2 0.3, value 0.5 0.5, work 1 0.5,
  zone 0.9 0.6
  `,
  // Progress, tools and what is beside the failure.
  `
  bytes -0.5 -0.6, check -0.2 -0.3, debug 0 -0.3, https -0.4 -0.6, id -0.8 -0.2, info -0.6 -0.7, int -0.7 -0.5,
  lang -0.7 -0.4, log -0.9 -0.6, main -0.4 -0.2, method -0.5 -0.3, ms -0.6 -0.8, note -0.5 -0.7, ok -0.4 -0.4,
  path -0.3 -0.3, project -0.6 -0.1, queue -0.6 -0.4, running -0.4 -0.5, see -0.3 -0.5, size -0.5 -0.3,
  string -0.7 0.1, target -0.3 -0.3, test -0.3 -0.2, tmp -0.5 -0.4, usr -1.5 -1.1, web -0.7 -0.4,
  worker -0.8 -0.8
  `,
  // An error: its features count it already.
  `
  error -0.8 -0.1, errors -0.4 0, exception 0.5 1.1, failed -0.2 0.1, failure 0.2 0.4, parse -0.4 0.3,
  unused -0.8 -0.8, version -0.9 -0.6, warn 0 -0.3, warning 0.3 -0.2
  `,
  // Words between others: some are in sentences, some in lists.
  `
  an 0.2 -0.4, and 0 -0.2, at 1.5 0.7, can -0.2 -0.4, for 0.4 0.2, in 0.3 0.1, of 0 -0.3, on 0.5 0.6,
  or 0.1 0.2, the -0.3 -0.5, this -0.4 -0.6, will -0.2 -0.6, with 0.3 0.3, you 0 -0.2
  `,
];

/** How usual a line's words are in lines that explain failures. */
interface WordsWorth {
  shown: number;
  named: number;
}

const weights = new Map<string, WordsWorth>();
for (const [, word, shown, named] of WORDS.join().matchAll(/(\S+) (-?[\d.]+) (-?[\d.]+)/g)) {
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

const WORD = /\p{Lu}?\p{Ll}+\d{0,2}|\p{Lu}+/gu;
const MOST_CHARS = 240;

/** Returns words in small letters, of the first 240 characters. Takes names apart: `maxOpenFiles` is three words. */
function lineWords(line: string): string[] {
  return (
    line
      .slice(0, MOST_CHARS)
      .match(WORD)
      ?.map((word) => word.toLowerCase()) ?? []
  );
}
