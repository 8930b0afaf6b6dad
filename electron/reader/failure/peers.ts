/**
 * Finds the odd one among a few lines that say the same of several services, files or members: one listens on another
 * address, has another version, loaded nothing. Statements that come often are left to the counts of the scan.
 */
import type { LogLines } from './log-lines.ts';
import type { FailureScanner } from './scan/scanner.ts';
import { FIRST_LINES, type LinePlace } from './scan/shape-table.ts';

interface OddPeer {
  place: LinePlace;
  shape: number;
  /** 0 to 1. */
  oddness: number;
}

const FEWEST_MEMBERS = 3;
const MOST_MEMBERS = 40;
const MOST_FAMILIES = 80;
/** Lines with more words than this are sentences, rather than one statement about several things. */
const MOST_COLUMNS = 120;

interface Member {
  place: LinePlace;
  shape: number;
}

/** Reads families of lines, which differ only in words, names and numbers, and returns their odd members. */
export function oddPeers({ shapes }: FailureScanner, lines: LogLines): OddPeer[] {
  const odd: OddPeer[] = [];
  const ofShapes = families(shapes).map((slots) =>
    slots.map((shape) => ({
      place: { line: shapes.firstLine[shape]!, offset: shapes.firstOffset[shape]! },
      shape,
    })),
  );
  for (const family of [...ofShapes, ...membersOfShapes(shapes)]) {
    const found = oddOne(family.map(({ place }) => lines.load(place)?.text ?? ''));
    if (!found) continue;
    const { place, shape } = family[found.index]!;
    const oddness = found.oddness * (0.4 + 0.6 * (shapes.novelty[shape]! / 255));
    odd.push({ place, shape, oddness });
  }
  return odd;
}

/** Lines of one shape each, where these are few: they differ in numbers and paths alone. */
function membersOfShapes(shapes: FailureScanner['shapes']): Member[][] {
  const few = new Map<number, Member[]>();
  for (let slot = 0; slot < shapes.size; slot++) {
    const count = shapes.counts[slot]!;
    if (count < FEWEST_MEMBERS || count > MOST_MEMBERS || shapes.lastLine[slot]! >= FIRST_LINES) continue;
    few.set(slot, []);
    if (few.size >= MOST_FAMILIES) break;
  }
  for (let line = 1; line < FIRST_LINES && few.size > 0; line++) {
    const shape = shapes.slotOfLine[line]! - 1;
    few.get(shape)?.push({ place: { line, offset: shapes.offsetOfLine[line]! }, shape });
  }
  return [...few.values()].filter(({ length }) => length >= FEWEST_MEMBERS);
}

/** Slots of shapes with the same coarse shape, the newest first; only families of few lines. */
function families(shapes: FailureScanner['shapes']): number[][] {
  const byCoarse = new Map<number, number[]>();
  for (let slot = 0; slot < shapes.size; slot++) {
    const family = byCoarse.get(shapes.coarse[slot]!);
    if (!family) byCoarse.set(shapes.coarse[slot]!, [slot]);
    else if (family.length <= MOST_MEMBERS) family.push(slot);
  }
  const novelty = (family: number[]) => Math.max(...family.map((slot) => shapes.novelty[slot]!));
  return [...byCoarse.values()]
    .filter((family) => {
      if (family.length < FEWEST_MEMBERS || family.length > MOST_MEMBERS) return false;
      return family.every((slot) => shapes.counts[slot]! <= 2);
    })
    .sort((a, b) => novelty(b) - novelty(a))
    .slice(0, MOST_FAMILIES);
}

/** Times and long numbers differ anyway. */
const ALWAYS_DIFFERS =
  /\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?|\b(?=\w*\d)[\da-f]{7,}\b|\d{7,}/giu;
const PIECE = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;
const NUMBER = /^\d+$/;

/** The only text with a value that all others have differently; null where there is none, or several. */
export function oddOne(texts: readonly string[]): { index: number; oddness: number } | null {
  const rows = texts.map((text) => text.replace(ALWAYS_DIFFERS, '¤').match(PIECE) ?? []);
  const width = rows[0]!.length;
  if (width === 0 || width > MOST_COLUMNS || rows.some((row) => row.length !== width)) return null;
  const crossed = unlikeOther(rows, width);
  if (crossed >= 0) return { index: crossed, oddness: Math.min(1, Math.log2(texts.length) / 4) };
  let index = -1;
  for (let column = 0; column < width; column++) {
    const other = differing(rows.map((row) => row[column]!));
    if (other < 0 || other === index) continue;
    if (index >= 0) return null;
    index = other;
  }
  return index < 0 ? null : { index, oddness: Math.min(1, Math.log2(texts.length) / 5) };
}

/**
 * Returns the index of the only row in which two columns differ, where they agree in all other rows and each row has
 * its own value: the third of `n1 … /data/n1`, `n2 … /data/n2`, `n3 … /data/n2`. Returns -1 if there is none.
 */
function unlikeOther(rows: readonly string[][], width: number): number {
  if (rows.length < 4) return -1;
  for (let a = 0; a < width; a++) {
    if (!/\w/.test(rows[0]![a]!) || new Set(rows.map((row) => row[a])).size < rows.length) continue;
    for (let b = 0; b < width; b++) {
      if (b === a) continue;
      const unlike = rows.flatMap((row, i) => (row[a] === row[b] ? [] : [i]));
      if (unlike.length === 1) return unlike[0]!;
    }
  }
  return -1;
}

/** Index of the one value that is unlike all others, which agree; -1 where there is none. */
function differing(values: readonly string[]): number {
  const usual = values[0] === values[1] ? values[0] : values[2];
  const others = values.flatMap((value, i) => (value === usual ? [] : [i]));
  if (others.length === 1) return others[0]!;
  if (others.length === 0 || !values.every((value) => NUMBER.test(value))) return -1;
  const zeros = values.flatMap((value, i) => (Number(value) === 0 ? [i] : []));
  return zeros.length === 1 ? zeros[0]! : -1;
}
