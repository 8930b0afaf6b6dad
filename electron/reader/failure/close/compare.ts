/**
 * Compares lines near a text's beginning and end. Adds lines whose values differ, or that share words with the last
 * lines.
 */
import type { LogLine, LogLines } from '../log-lines.ts';
import type { LinePlace } from '../scan/shape-table.ts';
import { byScore, type Weighed, type WeighLine } from '../weighed.ts';
import { CloseLines } from './close-lines.ts';
import { compareColumns, NO_SIGNS, unlikeness } from './columns.ts';
import { Kin, type Kinship } from './kin.ts';

const MOST_RARE = 60;
const MOST_KIN = 40;
/** Lines whose words lead to others, beside the last ones. */
const STRONGEST = 6;
const FIRST_CONSEQUENCES = 3;
const LEAST_SIGN = 0.1;
const LEAST_KIN = 0.1;

/** Sets `columns` and `kin` of each. */
export function compare(weighed: Map<number, Weighed>, lines: LogLines, look: WeighLine): void {
  const close = new CloseLines(lines.source, lines.total);
  const signs = compareColumns(close);
  const strongest = byScore(weighed).slice(0, STRONGEST);
  const kin = new Kin(close, [...strongest.map(({ line }) => line), ...beforeConsequences(weighed, lines)]);
  const rare: { place: LinePlace; sign: number }[] = [];
  const kindred: { place: LinePlace; sign: number }[] = [];
  const kins: Kinship[] = [];
  for (const [i, columns] of signs.entries()) {
    const place = { line: close.numbers[i]!, offset: close.offsets[i]! };
    const sign = unlikeness(columns);
    if (sign > LEAST_SIGN) rare.push({ place, sign });
    kins[i] = kin.ofClose(i);
    const kinship = kins[i]!.bits * (0.3 + 0.7 * kins[i]!.share);
    if (kinship > LEAST_KIN) kindred.push({ place, sign: kinship });
  }
  const best = (list: typeof rare, most: number) => list.sort((a, b) => b.sign - a.sign).slice(0, most);
  for (const { place } of best(rare, MOST_RARE)) look(lines.load(place));
  for (const { place } of best(kindred, MOST_KIN)) look(lines.load(place));
  for (const one of weighed.values()) {
    const i = close.indexOf(one.line.number);
    one.columns = signs[i] ?? NO_SIGNS;
    one.kin = i < 0 ? kin.ofText(one.line) : kins[i]!;
  }
}

/** Returns the lines that were said last before the first consequences, as a log may go on for long after a failure. */
function beforeConsequences(weighed: Map<number, Weighed>, lines: LogLines): LogLine[] {
  const found = [...weighed.values()].filter(({ evidence }) => evidence.isConsequence);
  found.sort((a, b) => a.line.number - b.line.number);
  return found.slice(0, FIRST_CONSEQUENCES).flatMap(({ line }) => lines.get(line.number - 1) ?? []);
}
