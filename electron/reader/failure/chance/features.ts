/** Describes a line by numbers, from which chance.ts estimates how likely it is the cause. */

import type { LineKind } from '../evidence.ts';
import * as s from '../lexicon/structure.ts';
import type { LogLines } from '../log-lines.ts';
import type { FailureScanner } from '../scan/scanner.ts';
import { lastStep, MadeGood } from '../steps.ts';
import { isSilent, type Weighed } from '../weighed.ts';
import { isSetting, namesDecision, opacity, RarePlaces } from './line-facts.ts';
import { SharedConcepts } from './shared-concepts.ts';

const KINDS = [
  'fatal',
  'exception',
  'label',
  'error',
  'reason',
  'compare',
  'mark',
  'warn',
  'soft',
  'value',
] as const satisfies LineKind[];
const ALSO = [
  'label',
  'error',
  'reason',
  'compare',
  'mark',
  'warn',
  'soft',
  'value',
] as const satisfies LineKind[];

const STRONG_WEIGHT = 4;
/** Evidence of a warning, or more. */
const SPEAKS_WEIGHT = 2;
const FEW_STRONG = 3;
/** So many bits of a line's distance from the end count: 256 lines from it and further is far. */
const END_BITS = 8;

/** Facts that are the same for all lines of a text. */
interface FeatureContext {
  readonly shapes: FailureScanner['shapes'];
  readonly total: number;
  /** Highest score of a line. */
  readonly best: number;
  /** How many lines name an error, or a reason with its place. */
  readonly strong: number;
  /** By pattern: number of its first line among the candidates, and how many have it. */
  readonly patterns: ReadonlyMap<string, { first: number; count: number }>;
  /** Number of the line in which the last step begins; 0 without steps. */
  readonly lastStep: number;
  readonly madeGood: MadeGood;
  readonly places: RarePlaces;
  readonly concepts: SharedConcepts;
}

export function contextOf(
  candidates: readonly Weighed[],
  scanner: FailureScanner,
  lines: LogLines,
): FeatureContext {
  const patterns = new Map<string, { first: number; count: number }>();
  for (const { pattern, line } of candidates) {
    const known = patterns.get(pattern) ?? { first: line.number, count: 0 };
    patterns.set(pattern, { first: Math.min(known.first, line.number), count: known.count + 1 });
  }
  const best = Math.max(1, ...candidates.map(({ score }) => score));
  return {
    shapes: scanner.shapes,
    total: scanner.lines,
    best,
    strong: candidates.filter(isStrongEvidence).length,
    patterns,
    lastStep: lastStep(lines),
    madeGood: new MadeGood(lines, scanner),
    places: new RarePlaces(candidates),
    concepts: new SharedConcepts(candidates, lines),
  };
}

const isStrongEvidence = ({ evidence }: Weighed) =>
  evidence.weight >= STRONG_WEIGHT && !evidence.isConsequence && !evidence.isCalm;

/** Features with a second weight for lines without a word for a failure. */
const IF_SILENT = [
  'kin',
  'kin-share',
  'rare-value',
  'departs',
  'rare-lead',
  'novelty',
  'once',
  'from-end',
  'shape-novelty',
  'length',
  'inside',
  'code',
  'rare-place',
  'figures',
  'kin-end',
  'setting',
  'version',
  'concept',
  'decides',
] as const;

export const FEATURES = [
  'score',
  'share',
  ...KINDS,
  ...ALSO.map((kind) => `also-${kind}` as const),
  'weight',
  'consequence',
  'calm',
  'differs',
  'novelty',
  'oddness',
  'link',
  'beside',
  'counted',
  'advice',
  'place',
  'data',
  'code',
  'command',
  'row',
  'inside',
  'quiet',
  'info',
  'prefixed',
  'opening',
  'last-8',
  'from-end',
  'strong-end',
  'only-strong',
  'alike',
  'later-of-pattern',
  'shape-novelty',
  'length',
  'long',
  'quotes',
  'assigns',
  'peer',
  'once',
  'step-start',
  'last-step',
  'made-good',
  'rare-value',
  'also-rare-value',
  'repeats',
  'departs',
  'rare-lead',
  'kin',
  'kin-share',
  'opaque',
  'rare-place',
  'figures',
  'kin-end',
  'setting',
  'setting-kin',
  'setting-figures',
  'version',
  'concept',
  'decides',
  'deciding-setting',
  'silent',
  ...IF_SILENT.map((feature) => `silent-${feature}` as const),
] as const;

const SILENT_INDICES = IF_SILENT.map((feature) => FEATURES.indexOf(feature));

export type Feature = (typeof FEATURES)[number];

const bit = (is: boolean) => (is ? 1 : 0);

/** In the order of FEATURES. */
export function featuresOf(one: Weighed, context: FeatureContext): number[] {
  const features = plainFeaturesOf(one, context);
  const silent = bit(isSilent(one));
  return [...features, silent, ...SILENT_INDICES.map((i) => features[i]! * silent)];
}

function plainFeaturesOf(
  one: Weighed,
  { shapes, total, best, strong, patterns, lastStep, madeGood, places, concepts }: FeatureContext,
): number[] {
  const { line, evidence, score, shape } = one;
  const { text, number } = line;
  const pattern = patterns.get(one.pattern)!;
  const fromEnd = total - number;
  const isStrong = isStrongEvidence(one);
  const setting = bit(isSetting(text));
  const decides = bit(namesDecision(text));
  return [
    Math.log(Math.max(0.05, score)),
    score / best,
    ...KINDS.map((kind) => bit(evidence.kind === kind)),
    ...ALSO.map((kind) => bit(evidence.kind !== kind && evidence.kinds.includes(kind))),
    evidence.weight / 5,
    bit(evidence.isConsequence),
    bit(evidence.isCalm),
    bit(evidence.differs),
    one.novelty,
    one.oddness,
    one.link,
    one.beside,
    bit(s.COUNTED.test(text)),
    bit(s.ADVICE.test(text)),
    bit(s.FILE_LINE.test(text)),
    bit(s.DATA.test(text)),
    bit(s.CODE.test(text)),
    bit(s.COMMAND_LINE.test(text)),
    bit(s.ROW.test(text)),
    bit(INSIDE.test(text)),
    bit(s.QUIET_LEVEL.test(text)),
    bit(s.INFO_LEVEL.test(text)),
    bit(s.PREFIXED.test(text)),
    bit(number <= total * 0.04),
    bit(fromEnd < Math.min(8, total / 4)),
    Math.min(1, Math.log2(1 + fromEnd) / Math.min(END_BITS, Math.log2(2 + total))),
    bit(isStrong && fromEnd < 12),
    bit(isStrong && strong <= FEW_STRONG),
    Math.log2(pattern.count),
    bit(number !== pattern.first),
    shape < 0 ? 0.5 : shapes.novelty[shape]! / 255,
    Math.log2(1 + text.length) / 8,
    bit(text.length > 240),
    bit(/["'‘’“”`«»]/.test(text)),
    bit(/\w\s?[=:]\s?\S/.test(text)),
    one.peer,
    bit(shape >= 0 && shapes.counts[shape] === 1),
    bit(s.STEP_START.test(text)),
    bit(number === lastStep),
    bit(evidence.weight >= SPEAKS_WEIGHT && !evidence.isConsequence && madeGood.has(line)),
    one.columns.rare,
    one.columns.alsoRare,
    one.columns.twice,
    one.columns.departs,
    one.columns.lead,
    one.kin.bits,
    one.kin.share,
    opacity(text),
    places.of(text),
    one.kin.figures,
    one.kin.end,
    setting,
    setting * one.kin.bits,
    setting * one.kin.figures,
    bit(VERSION.test(text)),
    concepts.of(line),
    decides,
    decides * setting,
  ];
}

/** A version: the word, or a number of three parts or more. */
const VERSION = /\bversion\b|(?<![\d.])\d{1,4}(?:\.\d{1,4}){2,3}(?![\d.])/iu;
const INSIDE = /^(?:\s\s|\t)/;
