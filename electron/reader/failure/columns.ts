/** Compares lines that are built alike, piece by piece. A value stands out if most lines have one of a few others. */
import type { LogLine } from './log-lines.ts';

const LEAST_LINES = 5;
/** So many bits of rarity count in full. */
const FULL_BITS = 9;

interface SplitLine {
  readonly number: number;
  /** Blank for signs and stamps. */
  readonly pieces: readonly string[];
  /** The classes of its pieces. */
  readonly kind: string;
}

/** Returns how rare each line's rarest value is, from 0 to 1, by line number; few lines of a kind have none. */
export function rareValues(lines: Iterable<LogLine>): Map<number, number> {
  const rare = new Map<number, number>();
  const groups = new Map<string, SplitLine[]>();
  for (const text of lines) {
    const line = splitLine(text);
    const group = groups.get(line.kind);
    if (group) group.push(line);
    else groups.set(line.kind, [line]);
  }
  for (const alike of groups.values()) {
    if (alike.length < LEAST_LINES) continue;
    const columns = columnsOf(alike);
    for (const line of alike) rare.set(line.number, rarest(line, columns, alike.length));
  }
  return rare;
}

/** How often each value comes in a column; undefined where all lines have the same, or each its own. */
type Columns = readonly (ReadonlyMap<string, number> | undefined)[];

function columnsOf(lines: readonly SplitLine[]): Columns {
  const width = Math.min(...lines.map(({ pieces }) => pieces.length));
  return Array.from({ length: width }, (_, column) => {
    const values = new Map<string, number>();
    for (const { pieces } of lines) values.set(pieces[column]!, (values.get(pieces[column]!) ?? 0) + 1);
    return values.size === 1 || values.size === lines.length ? undefined : values;
  });
}

/** The highest rarity of the values of a line, as a share of FULL_BITS. */
function rarest({ pieces }: SplitLine, columns: Columns, lines: number): number {
  let most = 0;
  for (const [column, values] of columns.entries()) {
    if (!values || pieces[column] === '') continue;
    const bits = Math.log2(lines / values.get(pieces[column]!)!) * (1 - values.size / lines) ** 2;
    most = Math.max(most, bits);
  }
  return Math.min(1, most / FULL_BITS);
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
  for (const piece of text.slice(0, MOST_CHARS).match(PIECE) ?? []) {
    const isNumber = HAS_DIGIT.test(piece);
    const isBlank = isNumber ? STAMP.test(piece) : piece.length === 1 && IS_SIGN.test(piece);
    const slash = isBlank ? -1 : piece.lastIndexOf('/');
    if (isBlank) kind += isNumber ? 't' : piece;
    else kind += slash > 0 ? 'p' : isNumber ? 'n' : 'w';
    if (slash > 0) folders.push(piece.slice(0, slash));
    pieces.push(isBlank ? '' : piece);
  }
  return { number, pieces: [...pieces, ...folders], kind };
}
