/**
 * Judges a line by expressions, without the name of any tool. Flags, paths, names and negations ("0 errors") are
 * blanked first. weigh.ts adds how rare the evidence is in a text.
 */

import { COMPARE, ODD_VALUE, SOFT } from './lexicon/implicit-reasons.ts';
import { ERROR_WORD, EXCEPTION, FATAL, LABEL, MARK, WARN } from './lexicon/labels.ts';
import { FILE_NAME, FLAG, NAME, NEGATED, PATH } from './lexicon/parts.ts';
import { REASON } from './lexicon/reasons.ts';
import * as structure from './lexicon/structure.ts';

export interface Evidence {
  /** Strength: 0 for no evidence, about 10 for "file:1:2: error: x not found". */
  readonly weight: number;
  /** The first of `kinds`, in the order in which they are looked for. */
  readonly kind: LineKind;
  /** All groups of words and signs that the line has. */
  readonly kinds: readonly LineKind[];
  /** Merely that something before failed. */
  readonly isConsequence: boolean;
  /** The lines after it explain it: a failed test's name, a traceback's beginning. */
  readonly opens: boolean;
  /** It says that something went well. */
  readonly isCalm: boolean;
  /** A stack frame, a source excerpt, a command line. */
  readonly surrounds: boolean;
  /** One side of a difference. */
  readonly differs: boolean;
}

export type LineKind =
  | 'fatal'
  | 'exception'
  | 'label'
  | 'error'
  | 'reason'
  | 'compare'
  | 'mark'
  | 'warn'
  | 'soft'
  | 'value'
  | 'none';

const WORTH: Record<LineKind, number> = {
  fatal: 4.5,
  exception: 4.5,
  label: 4.5,
  error: 2.6,
  reason: 3.9,
  compare: 3.8,
  mark: 2.8,
  warn: 2.4,
  soft: 2.4,
  value: 1.4,
  none: 0,
};

export function evidenceOf(line: string): Evidence {
  const text = line.length > SHORT_CHARS ? squeezed(line) : line;
  const shown = text.replace(FLAG, ' ').replace(NEGATED, ' ');
  const plain = shown.replace(PATH, '§').replace(FILE_NAME, '§').replace(NAME, '¤');
  const kinds: LineKind[] = [];
  if (FATAL.test(plain)) kinds.push('fatal');
  if (EXCEPTION.test(shown)) kinds.push('exception');
  if (LABEL.test(plain)) kinds.push('label');
  else if (ERROR_WORD.test(plain)) kinds.push('error');
  if (REASON.test(plain)) kinds.push('reason');
  if (COMPARE.test(shown) && !structure.VERDICT.test(shown)) kinds.push('compare');
  const isMark = MARK.test(plain);
  if (isMark) kinds.push('mark');
  if (WARN.test(plain)) kinds.push('warn');
  if (SOFT.test(plain)) kinds.push('soft');
  if (ODD_VALUE.test(shown)) kinds.push('value');
  const isConsequence = structure.CONSEQUENCE.test(shown);
  const message = text.replace(structure.SPEAKER, '');
  const surrounds = structure.SURROUNDS.test(message);
  const isCalm = structure.CALM.test(shown) || structure.NONE_COUNTED.test(text);
  let weight = combined(kinds);
  if (weight > 0 && structure.FILE_LINE.test(plain)) weight += 1;
  if (kinds.includes('reason') && structure.PREFIXED.test(text)) weight += 1;
  if (surrounds) weight *= 0.4;
  else if (structure.CODE.test(text)) weight *= 0.4;
  else if (structure.COMMAND_LINE.test(text)) weight *= 0.4;
  if (kinds[0] !== 'value' && structure.DATA.test(text)) weight *= 0.5;
  if (isConsequence) weight *= kinds.some((kind) => EXPLAINS.has(kind)) ? 0.7 : 0.3;
  if (isCalm) weight *= 0.3;
  if (structure.QUIET_LEVEL.test(text)) weight *= 0.55;
  else if (structure.INFO_LEVEL.test(text)) weight *= 0.75;
  return {
    weight,
    kind: kinds[0] ?? 'none',
    kinds,
    isConsequence,
    opens: (isMark || structure.OPENS.test(message)) && !isCalm,
    isCalm,
    surrounds,
    differs: structure.DIFF_LINE.test(message),
  };
}

/** Longer lines are squeezed: expressions that try each place of a run take its square. */
const SHORT_CHARS = 240;
const LONG_WORD = /[\w.@~+%/=:-]{128,}/gu;
const LONG_RUN = /([^\p{L}\p{N}])\1{15,}/gu;

/** Shortens runs of one character, and words longer than any message has, such as Base64. */
function squeezed(text: string): string {
  return text.replace(LONG_RUN, (run) => run.slice(0, 16)).replace(LONG_WORD, (word) => word.slice(0, 128));
}

const EXPLAINS: ReadonlySet<LineKind> = new Set(['reason', 'exception', 'compare']);

/** The strongest counts in full, the next ones by less and less. */
function combined(kinds: readonly LineKind[]): number {
  const worths = kinds.map((kind) => WORTH[kind]).sort((a, b) => b - a);
  return worths.reduce((sum, worth, i) => sum + worth * 0.5 ** i, 0);
}
