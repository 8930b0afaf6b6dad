/** Shortens the line that is named as the cause: replies, lists and the last line of a run have little room. */
import { graphemeCeil, graphemeFloor } from '../../../shared/text/clip.ts';
import { learnPrefix } from '../shapes/line-prefix.ts';
import { evidenceOf } from './evidence.ts';
import { COMPARED_SIDE } from './lexicon/structure.ts';
import type { LogLine, LogLines } from './log-lines.ts';

/** Most UTF-16 code units of a cause's text. */
const CAUSE_CHARS = 240;
/** Share of the message's beginning, which says who speaks, and of the stretch that has the reason. */
const OPENING = 1 / 4;
const STRETCH = 2 / 3;
const STEP_CHARS = 20;
const CUT = '…';
const ANY_PREFIX = learnPrefix([]);
/** Returns where the message begins, behind what proves itself a prefix, such as a time. */
export const messageStart = (line: string) => ANY_PREFIX.of(line).end;

/**
 * Returns `line`, or of a longer one at most `most` code units: the beginning of its message and the stretch that gives the
 * reason. Equal lines give equal texts, so a line can be looked for by its cause's text.
 */
export function causeText(line: string, most = CAUSE_CHARS): string {
  if (line.length <= most) return line;
  const text = line.trim();
  if (text.length <= most) return text;
  const message = messageStart(text);
  const opening = until(text, message, most * OPENING) + CUT;
  const stretchChars = most * STRETCH;
  const beginning = until(text, 0, most - CUT.length) + CUT;
  // The opening stays in any case: what it says already, another stretch need not.
  const repeated = worthOf(opening) >= REASON_WORTH ? most * OPENING : 0;
  const telling = tellingStretch(text, stretchChars, repeated);
  if (telling === null || telling + stretchChars < most) return beginning;
  const room = most - opening.length;
  const from = wordStart(text, Math.min(telling, text.length - room));
  if (from + room >= text.length) return opening + text.slice(from);
  return opening + until(text, from, room - CUT.length) + CUT;
}

/** No sentence ends in these words, so a line that does was wrapped. */
const HALF =
  /(?:^|\s)(?:an?|the|of|or|and|to|in|by|has|have|is|are|was|were|be|not|but|for|with|that|this|from|on|at|as|either|can|may|must|will|if|because|provided)$/iu;
const MOST_WRAPPED = 3;
/** Two words that each line of a wrapped sentence may begin with: `npm error `. */
const SPEAKERS = /^\S+ \S+ /u;
/** `1 !== 2`, alone in a line. */
const COMPARISON = /^\S.{0,200}? (?:!==?|<>|≠) \S/u;
const COMPARISON_LINES = 2;
/** The failed test is named at most so many lines above what it compares. */
const TEST_LINES = 10;
/** Under a test's verdict, what it compares comes within so many lines. */
const DIAGNOSIS_LINES = 12;
const ERROR_FIELD = /^(?:error|message): +(?!\|)['"]?(.+?)['"]?$/u;
/** Begins a field of several lines. */
const ERROR_BLOCK = /^(?:error|message): +\|/u;
const FIELD = /^\w+: /u;

const errorField = (diagnosis: readonly string[]) =>
  diagnosis.map((text) => ERROR_FIELD.exec(text)?.[1]).find((found) => found !== undefined);

function linesOfField(below: readonly string[]): string {
  const next = below.findIndex((text) => FIELD.test(text));
  const lines = next < 0 ? below : below.slice(0, next);
  const diff = lines.findIndex((text) => DIFF_HEAD.test(text));
  const said = diff < 0 ? lines : [...lines.slice(0, diff), changedIn(lines)];
  return said.filter(Boolean).join(' ');
}

/** Heads the diff of two values. */
const DIFF_HEAD = /^\+ actual - expected/u;

/** Returns the first line that only the actual value has, and the first of the expected one; empty where either has none. */
function changedIn(below: readonly string[]): string {
  const diff = below.slice(below.findIndex((text) => DIFF_HEAD.test(text)) + 1);
  if (diff.length === below.length) return '';
  const [actual, expected] = ['+ ', '- '].map((sign) => diff.find((text) => text.startsWith(sign)));
  return actual && expected ? `${actual} ${expected}`.replace(/\s+/g, ' ') : '';
}

/** The line that begins a test's diagnosis in YAML, as TAP has them. */
export const isDiagnosis = (text: string) => /^\s+---$/u.test(text);

/**
 * Makes a whole statement of the line. A wrapped sentence gets its other lines; `Expected values to be strictly equal:`
 * and a test's verdict get what differs, the former else the name of the test.
 */
export function statementOf(line: LogLine, lines: LogLines): string {
  const message = (number: number) => {
    const near = lines.get(number);
    return near === undefined ? '' : lines.messageOf(near).trim();
  };
  const after = (number: number, most: number) =>
    Array.from({ length: most }, (_, i) => message(number + 1 + i));
  const next = lines.get(line.number + 1);
  if (next && isDiagnosis(lines.indentedOf(next))) {
    const below = after(line.number + 1, DIAGNOSIS_LINES);
    const end = below.indexOf('...');
    const diagnosis = end < 0 ? below : below.slice(0, end);
    const block = diagnosis.findIndex((text) => ERROR_BLOCK.test(text));
    const error = block < 0 ? errorField(diagnosis) : linesOfField(diagnosis.slice(block + 1));
    const sides = diagnosis.flatMap((text, i) => {
      if (!COMPARED_SIDE.test(`  ${text}`)) return [];
      const side = /:\s*[|>][-+]?$/.test(text)
        ? text.replace(/\s*[|>][-+]?$/, ` ${linesOfField(diagnosis.slice(i + 1))}`)
        : text;
      return side.replace(/\s+/g, ' ');
    });
    const differs = error ?? sides.slice(0, 2).join(', ');
    return differs === '' ? line.text : `${line.text.trim()}: ${differs}`;
  }
  let first = line.number;
  let last = line.number;
  while (line.number - first < MOST_WRAPPED && HALF.test(message(first - 1))) first--;
  while (last - line.number < MOST_WRAPPED && HALF.test(message(last)) && message(last + 1) !== '') last++;
  const begin = lines.get(first)!.text;
  const speaker = SPEAKERS.exec(begin)?.[0];
  const further = after(first, last - first).map((text) =>
    speaker && text.startsWith(speaker) ? text.slice(speaker.length) : text,
  );
  const text = [begin, ...further].join(' ');
  const { kinds, isConsequence } = evidenceOf(text);
  const compares = kinds.includes('compare') || kinds.includes('exception');
  if (!text.endsWith(':') || isConsequence || !compares) return text;
  const below = after(last, DIAGNOSIS_LINES);
  const compared = below.slice(0, COMPARISON_LINES).find((next) => COMPARISON.test(next)) ?? changedIn(below);
  if (compared !== '') return `${text} ${compared}`;
  const tests = after(first - 1 - TEST_LINES, TEST_LINES).filter((test) =>
    evidenceOf(test).kinds.includes('mark'),
  );
  return tests.length > 0 ? `${tests.at(-1)}: ${text.trim()}` : text;
}

/** The first word from `at` on if it begins near, else the first character. */
function wordStart(text: string, at: number): number {
  const blank = text.indexOf(' ', at);
  return blank >= 0 && blank - at < STEP_CHARS ? blank + 1 : graphemeCeil(text, at);
}

/** At most `chars` from `from` on. */
const until = (text: string, from: number, chars: number) =>
  text.slice(from, Math.max(from, graphemeFloor(text, from + chars)));

/**
 * Returns where the stretch with the best evidence begins; of several, the middle one, which has the reason in its
 * middle. Behind an opening of `from` characters that gives a reason, only another reason counts; null without one.
 */
function tellingStretch(text: string, chars: number, from: number): number | null {
  let best = { first: 0, last: 0, worth: from > 0 ? REASON_WORTH : 0 };
  for (let at = from; at < text.length; at += STEP_CHARS) {
    const worth = worthOf(text.slice(at, at + chars));
    if (worth > best.worth) best = { first: at, last: at, worth };
    else if (worth === best.worth && at === best.last + STEP_CHARS) best.last = at;
  }
  return from > 0 && best.first === 0 ? null : (best.first + best.last) >> 1;
}

/** A reason tells more than any word for a failure. */
const REASON_WORTH = 100;

function worthOf(stretch: string): number {
  const { kinds, weight } = evidenceOf(stretch);
  return kinds.includes('reason') || kinds.includes('compare') ? REASON_WORTH + weight : weight;
}
