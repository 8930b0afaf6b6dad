/**
 * Compares one output with one or more outputs of runs that passed.
 *
 *   baselines ─ messages ─ baseline (what varies among them)
 *                             │
 *   output ─── messages ── differences ── rank ── findings, and the lines they are on
 */

import type { ReadingSteps } from '../failure/explanation.ts';
import type { FailureText } from '../failure/log-lines.ts';
import { explaining } from '../failure/stored.ts';
import { Baseline, MOST_PASSES } from './baseline.ts';
import { type Differences, differencesOf, type NewMessage, type NewValue } from './differences.ts';
import { MessageReader } from './messages.ts';
import { type Finding, rank } from './rank.ts';

const MIB = 1024 * 1024;
/** Bytes of a text that are compared. */
export const MOST_READ_BYTES = 32 * MIB;
/** Findings that are returned. */
const MOST_FINDINGS = 200;
const MOST_RANGES = 2000;

export interface Comparison {
  /** Most telling first. */
  findings: Finding[];
  /** Every new or changed line, as ranges. */
  lines: [from: number, to: number][];
  /** Those whose message the passes have, but not its value. */
  changedLines: [from: number, to: number][];
  totalFindings: number;
  /** Not all findings or lines are given. */
  isCut: boolean;
  /** Sentences about what was not compared. */
  notes: string[];
}

/** UTF-8 texts; the first baseline is the one whose lines are named. Reads no more than `mostBytes` of each. */
export function* comparing(
  text: FailureText,
  baselines: readonly FailureText[],
  mostBytes = MOST_READ_BYTES,
): ReadingSteps<Comparison> {
  const passes = baselines.slice(0, MOST_PASSES);
  const reader = new MessageReader(mostBytes);
  const baseline = new Baseline(passes.length);
  const partial: number[] = [];
  for (const [pass, one] of passes.entries()) {
    const { isPartial } = yield* reader.read(one, (line, message) => baseline.add(pass, line, message));
    if (isPartial) partial.push(pass);
  }
  const differences = yield* differencesOf(text, reader, baseline);
  const explanation = yield* explaining(text, { from: 0, to: text.size, firstLine: 1 });
  const { findings, dropped } = rank(differences, baseline, explanation);
  const lines = rangesOf(differences, (of) => !dropped.has(of));
  const changedLines = rangesOf(differences, (of) => !dropped.has(of) && !('speaks' in of));
  const notes: string[] = [];
  if (differences.isPartial || partial.length > 0)
    notes.push(`the middle of outputs over ${Math.round(mostBytes / MIB)} MB was not compared`);
  if (baseline.isFull)
    notes.push(
      'the baselines have more different messages than are compared: of the rest, only new ones are found',
    );
  if (baselines.length > passes.length)
    notes.push(`${passes.length} of ${baselines.length} baselines were compared`);
  return {
    findings: findings.slice(0, MOST_FINDINGS),
    lines: lines.slice(0, MOST_RANGES),
    changedLines: changedLines.slice(0, MOST_RANGES),
    totalFindings: findings.length,
    isCut: differences.isCut || findings.length > MOST_FINDINGS || lines.length > MOST_RANGES,
    notes,
  };
}

function rangesOf(
  { lines }: Differences,
  isOne: (of: NewMessage | NewValue) => boolean,
): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  let follows = false;
  for (const { line, joins, of } of lines) {
    const isDropped = !isOne(of);
    const speaks = !('speaks' in of) || of.speaks;
    const last = ranges.at(-1);
    if (!isDropped && speaks) {
      if (last && (line === last[1] + 1 || (joins && follows))) last[1] = line;
      else ranges.push([line, line]);
      follows = true;
    } else if (isDropped || !joins) follows = false;
  }
  return ranges;
}
