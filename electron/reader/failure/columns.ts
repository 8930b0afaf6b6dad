/**
 * Compares lines that are built alike, piece by piece: in a column that mostly repeats a few values, another one stands
 * out; in a column where each line has its own, so does one that comes twice.
 */
import type { LogLine } from './log-lines.ts';

/** How a line's columns differ from those of lines with the same structure; each from 0 to 1. */
export interface ColumnSigns {
  /** How rare its rarest value is in a column that mostly repeats. */
  readonly rare: number;
  /** The same of its second rarest. */
  readonly alsoRare: number;
  /** It repeats a value where others don't. */
  readonly twice: number;
  /** As `rare`, where the lines before and after agree. */
  readonly departs: number;
  /** How rare its first words are among lines that begin alike. */
  readonly lead: number;
}

export const NO_SIGNS: ColumnSigns = { rare: 0, alsoRare: 0, twice: 0, departs: 0, lead: 0 };

/** Returns one figure for all signs. */
export function unlikeness({ rare, twice, departs, lead }: ColumnSigns): number {
  return Math.max(rare, 0.6 * lead) + 0.4 * twice + departs;
}

const LEAST_LINES = 5;
const LEAD_PIECES = 3;
/** So many bits of rarity count in full. */
const FULL_BITS = 9;
/** In a column with a smaller share of different values, lines agree. */
const AGREEING_SHARE = 0.2;
/** In a column with a larger one, each line has its own. */
const OWN_SHARE = 0.85;
const LEAST_OWN_LINES = 8;
const MOST_TWICE = 3;

interface SplitLine {
  readonly number: number;
  /** Blank for signs and stamps. */
  readonly pieces: readonly string[];
  /** The classes of all its pieces, and of the first three. */
  readonly kind: string;
  readonly lead: string;
}

/** Returns the signs of lines, by their numbers; few lines of a kind have none. */
export function compareColumns(lines: Iterable<LogLine>): Map<number, ColumnSigns> {
  const signs = new Map<number, ColumnSigns>();
  const split = Array.from(lines, splitLine);
  for (const alike of groupsBy(split, ({ kind }) => kind)) {
    const columns = columnsOf(alike, Infinity);
    for (const [at, line] of alike.entries()) signs.set(line.number, signsOf(alike, at, columns));
  }
  for (const alike of groupsBy(split, ({ lead }) => lead)) {
    const columns = columnsOf(alike, LEAD_PIECES);
    for (const [at, line] of alike.entries()) {
      const lead = rarest(alike, at, columns)[0];
      if (lead > 0) signs.set(line.number, { ...(signs.get(line.number) ?? NO_SIGNS), lead });
    }
  }
  return signs;
}

function groupsBy(lines: readonly SplitLine[], key: (line: SplitLine) => string): SplitLine[][] {
  const groups = new Map<string, SplitLine[]>();
  for (const line of lines) {
    const group = groups.get(key(line));
    if (group) group.push(line);
    else groups.set(key(line), [line]);
  }
  groups.delete('');
  return [...groups.values()].filter(({ length }) => length >= LEAST_LINES);
}

interface Column {
  /** For each line how often its value comes. */
  readonly values: readonly { times: number }[];
  /** Different values, as a share of the lines. */
  readonly own: number;
}
/** Undefined where all lines have the same or none, or each its own: that tells nothing. */
type Columns = readonly (Column | undefined)[];

function columnsOf(lines: readonly SplitLine[], most: number): Columns {
  const width = Math.min(most, ...lines.map(({ pieces }) => pieces.length));
  return Array.from({ length: width }, (_, column) => {
    const counts = new Map<string, { times: number }>();
    const values = lines.map(({ pieces }) => {
      const value = counts.get(pieces[column]!) ?? { times: 0 };
      if (value.times++ === 0) counts.set(pieces[column]!, value);
      return value;
    });
    const tells = counts.size > 1 && counts.size < lines.length;
    return tells ? { values, own: counts.size / lines.length } : undefined;
  });
}

/** The highest rarities of the values of a line, as shares of FULL_BITS. */
function rarest(lines: readonly SplitLine[], at: number, columns: Columns): [number, number] {
  let first = 0;
  let second = 0;
  for (const [i, column] of columns.entries()) {
    if (!column || lines[at]!.pieces[i] === '') continue;
    const bits = Math.log2(lines.length / column.values[at]!.times) * (1 - column.own) ** 2;
    if (bits > first) [first, second] = [bits, first];
    else if (bits > second) second = bits;
  }
  return [Math.min(1, first / FULL_BITS), Math.min(1, second / FULL_BITS)];
}

function signsOf(lines: readonly SplitLine[], at: number, columns: Columns): ColumnSigns {
  const [rare, alsoRare] = rarest(lines, at, columns);
  const before = lines[at - 1]?.pieces;
  const behind = lines[at + 1]?.pieces;
  let twice = 0;
  let departs = 0;
  for (const [i, column] of columns.entries()) {
    const piece = lines[at]!.pieces[i]!;
    if (!column || piece === '') continue;
    if (column.own > OWN_SHARE && lines.length >= LEAST_OWN_LINES) {
      const { times } = column.values[at]!;
      if (times > 1 && times <= MOST_TWICE) twice = 1;
    }
    const other = before?.[i];
    if (column.own < AGREEING_SHARE && other !== piece && other === behind?.[i]) departs = rare;
  }
  return { rare, alsoRare, twice, departs, lead: 0 };
}

const MOST_CHARS = 256;
/** A word with what joins it to others: a path, a version, an address without its port, a time. Else a sign. */
const PIECE =
  /[\w\u0080-\uffff]+(?:(?:[./\-@~+]|(?<=(?<![\d.])\d+):(?=\d))[\w\u0080-\uffff]+)*|[^\s\w\u0080-\uffff]/g;
const IS_SIGN = /^[^\w\u0080-\uffff]/;
const HAS_DIGIT = /\d/;
/** A time, a date or an id differs anyway; numbers with three dots are an address. */
const STAMP = /:|^(?!(?:[^.]*\.){3})[\da-f_.\-@~+]{7,}$/i;

/** Splits a line into names, numbers and signs; of a path, the folder is another piece, at the end. */
function splitLine({ number, text }: LogLine): SplitLine {
  const pieces: string[] = [];
  const folders: string[] = [];
  let kind = '';
  let lead = '';
  for (const piece of text.slice(0, MOST_CHARS).match(PIECE) ?? []) {
    const isNumber = HAS_DIGIT.test(piece);
    const isBlank = isNumber ? STAMP.test(piece) : piece.length === 1 && IS_SIGN.test(piece);
    const slash = isBlank ? -1 : piece.lastIndexOf('/');
    if (isBlank) kind += isNumber ? 't' : piece;
    else kind += slash > 0 ? 'p' : isNumber ? 'n' : 'w';
    if (slash > 0) folders.push(piece.slice(0, slash));
    pieces.push(isBlank ? '' : piece);
    if (pieces.length === LEAD_PIECES) lead = kind;
  }
  return { number, pieces: [...pieces, ...folders], kind, lead };
}
