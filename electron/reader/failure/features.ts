/** Describes a line by numbers from which its chance to be the cause is told (chance.ts). */
import type { LineKind } from './evidence.ts';
import * as s from './lexicon/structure.ts';
import type { FailureScanner } from './scan/scanner.ts';
import type { Weighed } from './weigh.ts';

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

/** What is the same for all lines of a text. */
export interface FeatureContext {
  readonly shapes: FailureScanner['shapes'];
  readonly total: number;
  /** By pattern: number of its first line among the candidates, and how many have it. */
  readonly patterns: ReadonlyMap<string, { first: number; count: number }>;
}

export function contextOf(candidates: readonly Weighed[], { shapes, lines }: FailureScanner): FeatureContext {
  const patterns = new Map<string, { first: number; count: number }>();
  for (const { pattern, line } of candidates) {
    const known = patterns.get(pattern) ?? { first: line.number, count: 0 };
    patterns.set(pattern, { first: Math.min(known.first, line.number), count: known.count + 1 });
  }
  return { shapes, total: lines, patterns };
}

export const FEATURES = [
  'score',
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
  'alike',
  'later-of-pattern',
  'shape-novelty',
  'length',
  'long',
  'quotes',
  'assigns',
  'peer',
  'once',
] as const;

export type Feature = (typeof FEATURES)[number];

const bit = (is: boolean) => (is ? 1 : 0);

/** In the order of FEATURES. */
export function featuresOf(one: Weighed, { shapes, total, patterns }: FeatureContext): number[] {
  const { line, evidence, score, shape } = one;
  const { text, number } = line;
  const pattern = patterns.get(one.pattern)!;
  const fromEnd = total - number;
  const isStrong = evidence.weight >= 4 && !evidence.isConsequence;
  return [
    Math.log(Math.max(0.05, score)),
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
    Math.log2(1 + fromEnd) / Math.log2(2 + total),
    bit(isStrong && fromEnd < 12),
    Math.log2(pattern.count),
    bit(number !== pattern.first),
    shape < 0 ? 0.5 : shapes.novelty[shape]! / 255,
    Math.log2(1 + text.length) / 8,
    bit(text.length > 240),
    bit(/["'‘’“”`«»]/.test(text)),
    bit(/\w\s?[=:]\s?\S/.test(text)),
    one.peer,
    bit(shape >= 0 && shapes.counts[shape] === 1),
  ];
}

const INSIDE = /^(?:\s\s|\t)/;
