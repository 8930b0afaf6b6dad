/**
 * Estimates how likely a line explains the failure, by a linear model of its features. `shown` ranks lines to show: a
 * preview has room for several, so the order of the likeliest matters little. `named` ranks lines to name, and only the
 * first is named. Both are natural logarithms of odds, up to a constant: they compare lines of one text.
 */

import { markerOf } from '../sections/markers.ts';
import type { Evidence, LineKind } from './evidence.ts';
import { worthOfWords } from './lexicon/line-words.ts';
import * as s from './lexicon/structure.ts';
import { type FailedText, MadeGood, type Placed, type Zone } from './scope.ts';
import { isSilent, type Weighed } from './weigh.ts';

/** Facts that all lines of a text share. */
interface Context extends FailedText {
  /** Highest score of a line. */
  readonly best: number;
  /** How many lines name an error, or a reason with its place. */
  readonly strong: number;
  readonly madeGood: MadeGood;
  /** The line that begins a help text; Infinity without one. */
  readonly usage: number;
  /** Without marked steps and lines at error level, any line may be the cause. */
  readonly isQuiet: boolean;
}

/** A line with what its features are made of. */
interface Facts extends Placed {
  readonly one: Weighed;
  readonly text: string;
  readonly silent: boolean;
  /** Lines from here to the end. */
  readonly fromEnd: number;
  /** Number of its pattern's first line among the candidates, and how many have it. */
  readonly pattern: { first: number; count: number };
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
const ifQuiet =
  (value: Value): Value =>
  (facts) =>
    facts.context.isQuiet && value(facts);
const inSteps =
  (value: Value): Value =>
  (facts) =>
    facts.context.scope.hasSteps && value(facts);
const zone =
  (name: Zone): Value =>
  (facts) =>
    facts.zone === name && !isDone(facts.one);

/** A version: the word, or a number of three parts or more. */
const VERSION = /\bversion\b|(?<![\d.])\d{1,4}(?:\.\d{1,4}){2,3}(?![\d.])/iu;

/** Evidence of less is not plain. */
const PLAIN_WEIGHT = 3.5;
const INSIDE = /^(?:\s\s|\t)/;

const STRONG_WEIGHT = 4;
/** Evidence of a warning, or more. */
export const SPEAKS_WEIGHT = 2;
const FEW_STRONG = 3;
/** A text with fewer lines is too short for a line to be unlike the others. */
const LEAST_QUIET_LINES = 8;
/** So many bits of a line's distance from the end count: 256 lines from it and further is far. */
const END_BITS = 8;

const isUsage = ({ placed }: Weighed) => s.USAGE.test(placed.message);
const isHelp = ({ one, text, context }: Facts) => one.line.number > context.usage && s.HELP_LINE.test(text);
const isCalm = ({ one }: Facts) => one.evidence.isCalm;
const isMarker = ({ message }: Facts) => markerOf(message) !== null;
const lengthOf = ({ text }: Facts) => Math.log2(1 + text.length) / 8;
const isLong = ({ text }: Facts) => text.length > 240;
const scoreOf = ({ one }: Facts) => Math.log(Math.max(0.05, one.score));
const isLater = ({ one, pattern }: Facts) => one.line.number !== pattern.first;
const isOutcome = (facts: Facts) => isAtEnd(facts) && !saysWhy(facts.one);
const isMerelyLater = (facts: Facts) => isLater(facts) && facts.one.columns.rare === 0;
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

function shapeNovelty({ one: { shape }, context: { scanner } }: Facts): number {
  return shape < 0 ? 0.5 : scanner.shapes.novelty[shape]! / 255;
}

function isOnce({ one: { shape }, context: { scanner } }: Facts): boolean {
  return shape >= 0 && scanner.shapes.counts[shape] === 1;
}

function distance({ fromEnd, context: { lines } }: Facts): number {
  return Math.min(1, Math.log2(1 + fromEnd) / Math.min(END_BITS, Math.log2(2 + lines.total)));
}

/**
 * The weights are rounded from a fit to the recorded failures and to logs of real projects, which
 * `npm run bench -- failure-weights` makes again. Values are from 0 to about 1.
 */
export const FEATURES: readonly Feature[] = [
  // Where a line is, in a log with marked steps.
  ['z-also', -4, -7, zone('also'), 'another step that failed may have been tolerated'],
  ['z-before', -4, -4, zone('before'), 'what a step says that went well explains nothing'],
  ['z-script', -3.5, -3.5, zone('script'), 'an echoed script is not its output'],
  ['z-after', -4, -7, zone('after'), 'a clean-up has errors of its own'],
  ['z-done', -4, 0, inSteps(({ one }) => isDone(one)), 'progress of a step that went well: never named'],
  ['s-error', 2.5, 2.5, inSteps((f) => f.isError), 'a runner marks errors reliably'],
  ['s-calm', -0.9, -0, inSteps(isCalm), 'most lines of a job report success'],
  ['s-marker', -1.4, -1.2, inSteps(isMarker), 'says nothing itself'],
  // The level that its author gave it.
  ['lv-error', 1.5, 0.6, (f) => f.isError, 'its author called it an error'],
  ['lv-reason', 2.4, 1, (f) => f.isError && hasReason(f), 'an error with its reason'],
  ['lv-place', 0, 0.8, (f) => f.isError && s.FILE_LINE.test(f.message), 'a compiler says where'],
  ['lv-verdict', 3.4, 1.8, (f) => f.isVerdict, 'a harness names the test that failed, and why'],
  // Its words, by their strongest group.
  ['score', 0.7, 0.6, scoreOf, 'words for failures, and how rare they are here'],
  ['share', 2.5, 1.2, (f) => f.one.score / f.context.best, 'no other line has more of them'],
  [
    'weight',
    0,
    0.6,
    ({ one }) => one.evidence.weight / 5,
    'words for failures, however many lines have them',
  ],
  ['fatal', -0.4, -0.4, is('fatal'), 'a crash may follow from what was wrong before'],
  ['exception', 0.8, 0.5, is('exception'), 'named, but its message may be on another line'],
  ['error', -1.1, -0.5, is('error'), 'the word alone comes in summaries'],
  ['reason', 1.3, 1, is('reason'), 'says why something cannot be'],
  ['compare', -0.1, 0.7, is('compare'), 'says what differs from what was expected'],
  ['mark', 0.4, -1, is('mark'), 'which test failed, not why'],
  ['warn', 0.8, 1, is('warn'), 'a warning may be why, mostly it is not'],
  ['soft', 2.5, 1.5, is('soft'), 'what was left out or assumed explains silent failures'],
  ['value', 0.5, 0.9, is('value'), 'an odd value explains silent failures'],
  ['consequence', -1.3, -0.9, ({ one }) => one.evidence.isConsequence, 'only that something before failed'],
  ['calm', -0.7, 0.1, isCalm, 'something went well after all'],
  ['made-good', -2.4, -3.9, isMadeGood, 'the next lines say that it was made good'],
  ['counted', -1.5, -1.5, matches(s.COUNTED), 'how many failed, not why'],
  ['quiet', -1.5, -0.2, matches(s.QUIET_LEVEL), 'debugging output'],
  ['help', -3, -4, isHelp, 'how to call a program, not what went wrong'],
  ['info', 0.6, 0.6, matches(s.INFO_LEVEL), 'information explains what silently went another way'],
  // How it stands out.
  ['novelty', 2.5, 2.5, ({ one }) => one.novelty, 'unlike the lines around it'],
  ['once', 1.2, 0.1, isOnce, 'said once only'],
  ['shape-novelty', -0.9, -2, shapeNovelty, 'new where most lines were not: also each detail of a trace'],
  ['later-of-pattern', -0.7, 0.1, isLater, 'the first of them is nearer to the cause'],
  ['rare-value', 1, 0.7, ({ one }) => one.columns.rare, 'unlike the values of lines that are built alike'],
  [
    'also-rare-value',
    -2,
    -2,
    ({ one }) => one.columns.alsoRare,
    'a line with several rare values is of another kind',
  ],
  ['repeats', 2.3, 1.2, ({ one }) => one.columns.twice, 'a value comes twice where each line has its own'],
  [
    'departs',
    1.9,
    1.6,
    ({ one }) => one.columns.departs,
    'the lines before and after agree on another value',
  ],
  ['rare-lead', 1.5, 0.4, ({ one }) => one.columns.lead, 'begins unlike lines that are built alike'],
  // Its form.
  ['place', -0.9, -0.4, matches(s.FILE_LINE), 'says where'],
  ['quotes', 0.8, 0.7, matches(/["'‘’“”`«»]/), 'quotes what it is about'],
  ['version', 1, -0.1, matches(VERSION), 'tools print their versions'],
  ['data', -0.7, -0.3, matches(s.DATA), 'a row of data quotes words'],
  ['command', -1.8, -0.7, matches(s.COMMAND_LINE), 'a command line is no message'],
  ['row', 0.6, 0, matches(s.ROW), 'a row of a table may be what is odd'],
  ['inside', -0.9, -0.1, matches(INSIDE), 'indented: detail of the line above'],
  ['length', 1, 2.1, lengthOf, 'short lines have no room for a reason'],
  ['long', 0.7, -0.2, isLong, 'long ones are dumps and command lines'],
  // Its place in the text.
  ['last-8', -2, 0.1, isAtEnd, 'what is said last'],
  ['from-end', 1.1, 2.2, distance, 'a cause is mostly before the last lines'],
  ['strong-end', 2.1, 0.5, (f) => isStrong(f.one) && f.fromEnd < 12, 'an error that ends the output'],
  ['only-strong', 1.9, 0, isOnlyStrong, 'no other line says so'],
  ['step-start', -1.4, -1.1, matches(s.STEP_START), 'a command line is no message'],
  // Features of lines without a word for a failure.
  ['silent-novelty', -1.3, -1.6, ifSilent(({ one }) => one.novelty), 'nothing else tells it apart'],
  ['silent-once', -0.6, 0.2, ifSilent(isOnce), 'as `novelty`'],
  ['silent-from-end', 0.5, 0.8, ifSilent(distance), 'a decision is made early'],
  ['silent-shape-novelty', 0.8, 1.9, ifSilent(shapeNovelty), 'as `novelty`'],
  ['silent-length', 0.2, -0.6, ifSilent(lengthOf), 'a word or two decide nothing'],
  ['silent-inside', 0.8, 0.1, ifSilent(matches(INSIDE)), 'a listed value may decide'],
  ['silent-code', -2, -0.9, ifSilent(matches(s.CODE)), 'an assignment may decide'],
  ['silent-version', -1.9, -0.3, ifSilent(matches(VERSION)), 'an old version may be why'],
  ['silent-rare-value', 2.5, 2.2, ifSilent(({ one }) => one.columns.rare), 'a rare value may decide'],
  ['silent-departs', 0.9, 0.4, ifSilent(({ one }) => one.columns.departs), 'as `departs`'],
  // Features in a text that names no error (`isQuietText`).
  ['quiet-data', 0, 2.7, ifQuiet(matches(s.DATA)), 'an odd row of data may be why'],
  ['quiet-novelty', 0, 1, ifQuiet(({ one }) => one.novelty), 'as `novelty`'],
  ['quiet-once', 0, 1, ifQuiet(isOnce), 'as `once`'],
  ['quiet-later-of-pattern', 0, -1.2, ifQuiet(isMerelyLater), 'the first says as much'],
  ['quiet-also-rare-value', 0, -2, ifQuiet(({ one }) => one.columns.alsoRare), 'as `also-rare-value`'],
  ['quiet-departs', 0, 2, ifQuiet(({ one }) => one.columns.departs), 'as `departs`'],
  ['quiet-outcome', 0, -0.9, ifQuiet(isOutcome), 'the end says what came of it'],
  ['quiet-long', 0, -1.6, ifQuiet(isLong), 'as `long`'],
];

/** Sets `chance` and `naming` of each. Returns whether the text is quiet. */
export function giveChances(candidates: readonly Weighed[], text: FailedText): boolean {
  const facts = factsOf(candidates, text);
  for (const one of facts) {
    const words = worthOfWords(one.text);
    one.one.chance = words.shown;
    one.one.naming = words.named;
    for (const [, shown, named, value] of FEATURES) {
      const is = Number(value(one));
      one.one.chance += is * shown;
      one.one.naming += is * named;
    }
  }
  return facts[0]?.context.isQuiet ?? false;
}

/** For each candidate the values of FEATURES. */
export function featuresOf(candidates: readonly Weighed[], text: FailedText): Float64Array[] {
  const values = FEATURES.map(([, , , value]) => value);
  return factsOf(candidates, text).map((one) => Float64Array.from(values, (value) => Number(value(one))));
}

function factsOf(candidates: readonly Weighed[], text: FailedText): Facts[] {
  const { scanner, lines, scope } = text;
  const patterns = new Map<string, { first: number; count: number }>();
  for (const { pattern, line } of candidates) {
    const known = patterns.get(pattern) ?? { first: line.number, count: 0 };
    patterns.set(pattern, { first: Math.min(known.first, line.number), count: known.count + 1 });
  }
  const context: Context = {
    ...text,
    best: Math.max(1, ...candidates.map(({ score }) => score)),
    strong: candidates.filter(isStrong).length,
    madeGood: new MadeGood(lines, scanner.names),
    usage: Math.min(...candidates.filter(isUsage).map(({ line }) => line.number)),
    isQuiet: !scope.hasSteps && lines.total >= LEAST_QUIET_LINES && !candidates.some(saysError),
  };
  return candidates.map((one) => ({
    ...one.placed,
    one,
    text: one.line.text,
    silent: isSilent(one),
    fromEnd: lines.total - one.line.number,
    pattern: patterns.get(one.pattern)!,
    context,
  }));
}

/** Whether a line of the failing step says itself that it is an error, with or without its reason. */
function saysError({ evidence, placed: { zone, isError } }: Weighed): boolean {
  return zone === 'failing' && isError && !evidence.isCalm && !evidence.isConsequence;
}

export const HAS_LETTER = /\p{L}/u;
/** Evidence of a failure. */
const TELLING = 2;
const REASONS: ReadonlySet<LineKind> = new Set(['label', 'reason', 'exception']);

/** Whether a line says why something failed. That a result differs may follow from what came before. */
export function saysWhy({ evidence }: Weighed): boolean {
  return (
    isTelling(evidence) &&
    !evidence.kinds.includes('compare') &&
    evidence.kinds.some((kind) => REASONS.has(kind))
  );
}

/** Kinds of words that say that something failed, or why. */
export const TELLS: ReadonlySet<LineKind> = new Set([
  'fatal',
  'exception',
  'label',
  'error',
  'reason',
  'compare',
  'mark',
]);

/** Whether a line says plainly that something failed, or why. */
export const tells = ({ evidence }: Weighed): boolean => TELLS.has(evidence.kind) && isTelling(evidence);

export function isTelling({ weight, isConsequence, isCalm, surrounds }: Evidence): boolean {
  return weight >= TELLING && !isConsequence && !isCalm && !surrounds;
}
