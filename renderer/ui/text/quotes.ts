/** Which lines are quoted, and the address of a line. */

/** The address of a line in the window's hash. */
interface LineAddress {
  artifactId: string;
  /** Null for the default stream. */
  stream: string | null;
  line: number;
  /** Selects the lines from `line` up to it. */
  lastLine?: number;
}

/** @param page address of the window, without a fragment */
export function permalink(page: string, { artifactId, stream, line, lastLine }: LineAddress): string {
  const lines = lastLine && lastLine > line ? `${line}-${lastLine}` : String(line);
  return `${page}#${new URLSearchParams({ a: artifactId, ...(stream ? { s: stream } : {}), l: lines })}`;
}

/** Returns the window's own address, without a fragment. */
export function pageAddress(): string {
  return `${location.origin}${location.pathname}`;
}

/** Lines from 1. `count`: how many of `first` to `last` are quoted, as filters may hide others. */
export interface QuotedRange {
  first: number;
  last: number;
  count: number;
}

/** Returns `line 7`, `lines 3–4`, `2 of lines 449–471, filtered`. `of` follows the numbers: ` of stdout`. */
export function rangeWords(range: QuotedRange, of = ''): string {
  const { first, last, count } = range;
  if (first === last) return `line ${first}${of}`;
  return isFiltered(range)
    ? `${count} of lines ${first}–${last}${of}, filtered`
    : `lines ${first}–${last}${of}`;
}

/** Returns a clause about the other lines that a command prints besides the quoted ones; empty if there are none. */
export function restWords(range: QuotedRange): string {
  const { first, last } = range;
  return isFiltered(range) ? ` prints all ${last - first + 1} lines, also those that filters hid` : '';
}

function isFiltered({ first, last, count }: QuotedRange): boolean {
  return count < last - first + 1;
}
