/**
 * Estimates how likely a line explains the failure, by a linear model of its features. `shown` ranks lines to show: a
 * preview has room for several, so the order of the likeliest matters little. `named` ranks lines to name, and only the
 * first is named. Both are natural logarithms of odds, up to a constant: they compare lines of one text.
 */

import type { LineKind } from './evidence.ts';
import { worthOfWords } from './lexicon/line-words.ts';
import { CODE, COUNTED, FILE_LINE, HELP_LINE, STEP_START, USAGE } from './lexicon/structure.ts';
import { type FailedText, MadeGood, type Placed, type Zone } from './scope.ts';
import { isSilent, scoreOf, type Weighed } from './weigh.ts';

/** Facts that all lines of a text share. */
interface Context extends FailedText {
  /** Highest score of a line. */
  readonly best: number;
  /** How many lines name an error, or a reason with its place. */
  readonly strong: number;
  readonly madeGood: MadeGood;
  /** The line that begins a help text; Infinity without one. */
  readonly usage: number;
}

/** A line with what its features are made of. */
interface Facts extends Placed {
  readonly one: Weighed;
  readonly text: string;
  readonly silent: boolean;
  /** Lines from here to the end. */
  readonly fromEnd: number;
  readonly context: Context;
}

type Value = (facts: Facts) => number | boolean;

/** Its name, the weights `shown` and `named`, its value for a line, and the reason of its weights. */
type Feature = readonly [name: string, shown: number, named: number, value: Value, reason: string];

const is =
  (kind: LineKind): Value =>
  ({ one }) =>
    one.evidence.kind === kind;
const matches =
  (expression: RegExp): Value =>
  ({ text }) =>
    expression.test(text);
const ifSilent =
  (value: Value): Value =>
  (facts) =>
    facts.silent && value(facts);
const inSteps =
  (value: Value): Value =>
  (facts) =>
    facts.context.scope.hasSteps && value(facts);
const zone =
  (name: Zone): Value =>
  (facts) =>
    facts.zone === name && !isDone(facts.one);

/** Evidence of less is not plain. */
const PLAIN_WEIGHT = 3.5;
const STRONG_WEIGHT = 4;
/** Evidence of a warning, or more. */
export const SPEAKS_WEIGHT = 2;
const FEW_STRONG = 3;
/** So many bits of a line's distance from the end count: 256 lines from it and further is far. */
const END_BITS = 8;
/** Scores of less are alike. */
const LEAST_SCORE = 0.3;

const isUsage = ({ placed }: Weighed) => USAGE.test(placed.message);
const isHelp = ({ one, text, context }: Facts) => one.line.number > context.usage && HELP_LINE.test(text);
const lengthOf = ({ text }: Facts) => Math.log2(1 + text.length) / 8;
const novelty = ({ one }: Facts) => one.novelty;
const logOfScore = ({ one }: Facts) => Math.log(Math.max(LEAST_SCORE, scoreOf(one)));
const isAtEnd = ({ fromEnd, context }: Facts) => fromEnd < Math.min(8, context.lines.total / 4);
const isOnlyStrong = ({ one, context }: Facts) => isStrong(one) && context.strong <= FEW_STRONG;

/** A line without a plain error in a step that went well, such as `cache restored` or `stage skipped`. */
export function isDone({ placed, evidence }: Weighed): boolean {
  return placed.zone === 'before' && !placed.isError && evidence.weight < PLAIN_WEIGHT;
}

function isStrong({ evidence }: Weighed): boolean {
  return evidence.weight >= STRONG_WEIGHT && !evidence.isConsequence && !evidence.isCalm;
}

function hasReason({ one: { evidence } }: Facts): boolean {
  return evidence.kinds.includes('reason') || evidence.kinds.includes('compare');
}

function isMadeGood({ one: { line, evidence }, context }: Facts): boolean {
  return evidence.weight >= SPEAKS_WEIGHT && !evidence.isConsequence && context.madeGood.has(line);
}

/** In TAP, a comment before a result has the name of a test. */
function isTitle({ one: { line }, message, context: { lines } }: Facts): boolean {
  return message.startsWith('# ') && /^\s*(?:not )?ok \d/.test(lines.get(line.number + 1)?.text ?? '');
}

function shapeNovelty({ one: { shape, isNew } }: Facts): number {
  return shape < 0 ? 0.5 : isNew;
}

function isOnce({ one: { shape }, context: { scanner } }: Facts): boolean {
  return shape >= 0 && scanner.shapes.counts[shape] === 1;
}

function distance({ fromEnd, context: { lines } }: Facts): number {
  return Math.min(1, Math.log2(1 + fromEnd) / Math.min(END_BITS, Math.log2(2 + lines.total)));
}

/**
 * The weights are rounded from a fit to the recorded failures and to logs of real projects, such as
 * `npm run bench -- failure-weights` makes. Values are from 0 to about 1.
 */
export const FEATURES: readonly Feature[] = [
  // Where a line is, in a log with marked steps.
  ['z-also', -3.6, -5.7, zone('also'), 'another step that failed may have been tolerated'],
  ['z-before', -4.1, -3.8, zone('before'), 'what a step says that went well explains nothing'],
  ['z-script', -3.5, -3.2, zone('script'), 'an echoed script is not its output'],
  ['z-after', -4.1, -6.4, zone('after'), 'a clean-up has errors of its own'],
  ['s-error', 2.9, 2.3, inSteps((f) => f.isError), 'a runner marks errors reliably'],
  // The level that its author gave it.
  ['lv-error', 1.8, 1, (f) => f.isError, 'its author called it an error'],
  ['lv-reason', 3.2, 1.7, (f) => f.isError && hasReason(f), 'an error with its reason'],
  ['lv-place', -0.2, 0.5, (f) => f.isError && FILE_LINE.test(f.message), 'a compiler says where'],
  ['lv-verdict', 3.9, 1.5, (f) => f.isVerdict, 'a harness names the test that failed, and why'],
  // Its words, by their strongest group.
  ['score', 0.8, 0.8, logOfScore, 'words for failures'],
  ['share', 2.5, 1.7, ({ one, context }) => scoreOf(one) / context.best, 'no other line has more of them'],
  ['exception', 0.9, 1.1, is('exception'), 'named, but its message may be on another line'],
  ['error', -1.1, -0.5, is('error'), 'the word alone comes in summaries'],
  ['reason', 1.3, 1.7, is('reason'), 'says why something cannot be'],
  ['compare', 1.1, 1.2, is('compare'), 'says what differs from what was expected'],
  ['warn', 1, 1.3, is('warn'), 'a warning may be why'],
  ['soft', 2, 1.7, is('soft'), 'what was left out or assumed explains silent failures'],
  ['value', 0.5, 1, is('value'), 'an odd value explains silent failures'],
  ['consequence', -1.9, -0.6, ({ one }) => one.evidence.isConsequence, 'only that something before failed'],
  ['made-good', -2.8, -3.9, isMadeGood, 'the next lines say that it was made good'],
  ['counted', -2, -2, matches(COUNTED), 'how many failed, not why'],
  ['help', -3, -4.1, isHelp, 'how to call a program, not what went wrong'],
  ['title', -3, -4, isTitle, 'names a test, whose result the next line has'],
  // How it stands out.
  ['novelty', 5.2, 3.8, novelty, 'unlike the lines around it'],
  ['once', 1.6, 0.4, isOnce, 'said once only'],
  ['shape-novelty', -1.2, -3, shapeNovelty, 'new where most lines were not: also each detail of a trace'],
  // Its form.
  ['place', -1, -0.2, matches(FILE_LINE), 'says where'],
  ['quotes', 1.1, 0.8, matches(/["'‘’“”`«»]/), 'quotes what it is about'],
  ['inside', -0.8, -0.4, matches(/^(?:\s\s|\t)/), 'indented: detail of the line above'],
  ['length', 1.7, 2.9, lengthOf, 'short lines have no room for a reason'],
  // Its place in the text.
  ['last-8', -2.4, -0.7, isAtEnd, 'what is said last'],
  ['from-end', 1.4, 2.1, distance, 'a cause is mostly before the last lines'],
  ['strong-end', 2.4, 0.5, (f) => isStrong(f.one) && f.fromEnd < 12, 'an error that ends the output'],
  ['only-strong', 2.4, 0.2, isOnlyStrong, 'no other line says so'],
  ['step-start', -2, -1.9, matches(STEP_START), 'a command line is no message'],
  // Features of lines without a word for a failure.
  ['silent-novelty', -2.4, -2, ifSilent(novelty), 'nothing else tells it apart'],
  ['silent-once', -0.5, 0.2, ifSilent(isOnce), 'as `novelty`'],
  ['silent-from-end', 0.8, 1.1, ifSilent(distance), 'a decision is made early'],
  ['silent-shape-novelty', 1, 2.5, ifSilent(shapeNovelty), 'as `novelty`'],
  ['silent-length', 0.7, -0.5, ifSilent(lengthOf), 'a word or two decide nothing'],
  ['silent-code', -1.8, -1.2, ifSilent(matches(CODE)), 'an assignment decides little'],
  ['silent-rare-value', 3.6, 2.4, ifSilent(({ one }) => one.rare), 'a rare value may decide'],
];

/** Sets `chance` and `naming` of each. */
export function giveChances(candidates: readonly Weighed[], text: FailedText): void {
  for (const facts of factsOf(candidates, text)) {
    const { one } = facts;
    const words = worthOfWords(facts.text);
    one.chance = words.shown;
    one.naming = words.named;
    for (const [, shown, named, value] of FEATURES) {
      const is = Number(value(facts));
      one.chance += is * shown;
      one.naming += is * named;
    }
  }
}

/** For each candidate the values of FEATURES. */
export function featuresOf(candidates: readonly Weighed[], text: FailedText): Float64Array[] {
  const values = FEATURES.map(([, , , value]) => value);
  return factsOf(candidates, text).map((one) => Float64Array.from(values, (value) => Number(value(one))));
}

function factsOf(candidates: readonly Weighed[], text: FailedText): Facts[] {
  const context: Context = {
    ...text,
    best: Math.max(1, ...candidates.map(scoreOf)),
    strong: candidates.filter(isStrong).length,
    madeGood: new MadeGood(text),
    usage: Math.min(...candidates.filter(isUsage).map(({ line }) => line.number)),
  };
  return candidates.map((one) => ({
    ...one.placed,
    one,
    text: one.line.text,
    silent: isSilent(one),
    fromEnd: text.lines.total - one.line.number,
    context,
  }));
}
