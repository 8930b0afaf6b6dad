/**
 * Finds where in a text an expression matches: with V8, which is fast as a rule, or with the locator, where V8 could
 * try so many ways that it would not end.
 */
import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import type { Row } from '../../shared/api/rows.ts';
import type { SearchQuery } from '../../shared/search-query.ts';
import { lineText } from '../../shared/text/line-text.ts';
import { characterStart, type Decoder } from '../reader/bytes/encoding.ts';
import type { OpenStream } from '../reader/bytes/open-stream.ts';
import { alphabetOf } from './automaton/alphabet.ts';
import { compiled, type Expression, expressionOf, parseExpression } from './expression.ts';
import { Locator, type Match, pathsOf } from './locator.ts';

/** V8 takes a second for so many steps, or a few. */
const MOST_STEPS = 1e8;

export class MatchFinder {
  readonly #source: Expression;
  readonly #tree: ReturnType<typeof parseExpression>;
  readonly #degree: number;
  readonly #expression: RegExp;
  /** Null if the expression is not for it; undefined until first needed. */
  #locator: Locator | null | undefined;

  /** Throws `usage` if the expression is too large for V8. */
  constructor(source: Expression) {
    this.#source = source;
    this.#tree = parseExpression(source);
    this.#degree = this.#tree ? backtrackingDegree(this.#tree) : 1;
    this.#expression = compiled(source.source, `${source.flags}g`);
  }

  /** Returns the first match at or after `from`; null if there is none. `onProgress` is called in long texts. */
  first(text: string, from = 0, onProgress?: () => void): Match | null {
    const locator = (text.length - from) ** this.#degree > MOST_STEPS ? this.#located() : null;
    if (locator) return locator.first(text, from, onProgress);
    this.#expression.lastIndex = from;
    const found = this.#expression.exec(text);
    return found && { index: found.index, length: found[0].length };
  }

  matches(text: string): boolean {
    return this.first(text) !== null;
  }

  /** Returns the matches that are not empty, first to last. */
  *all(text: string): Generator<Match> {
    for (let at = 0; at <= text.length; ) {
      const match = this.first(text, at);
      if (match === null) return;
      at = match.index + match.length;
      if (match.length > 0) yield match;
      else at += text.codePointAt(at)! > 0xffff && this.#source.flags.includes('u') ? 2 : 1;
    }
  }

  #located(): Locator | null {
    if (this.#locator === undefined) {
      const { flags } = this.#source;
      const paths = this.#tree && pathsOf(this.#tree, flags);
      const alphabet = paths && alphabetOf(paths, flags.includes('u'));
      this.#locator = paths && alphabet ? new Locator(paths, alphabet) : null;
    }
    return this.#locator;
  }
}

// Estimates how many ways V8 may try to match an expression at one place.

/** A repetition that may end in so many places lets V8 try each of them for each place of the one before. */
const WIDE = 10;

/**
 * Returns the degree of the polynomial in the text's length that bounds V8's steps; infinity if nested repetitions
 * make them exponential, as in `(a+)+` or `(?:a|ab)*`.
 */
function backtrackingDegree(pattern: AST.Pattern): number {
  const repeats: boolean[] = [];
  let degree = 1;
  visitRegExpAST(pattern, {
    onQuantifierEnter({ min, max }) {
      if (min !== max && repeats.includes(true)) degree = Number.POSITIVE_INFINITY;
      if (max - min >= WIDE) degree += 1;
      repeats.push(max > 1);
    },
    onQuantifierLeave() {
      repeats.pop();
    },
    onGroupEnter: choose,
    onCapturingGroupEnter: choose,
  });
  return degree;

  function choose({ alternatives }: AST.Group | AST.CapturingGroup): void {
    if (alternatives.length > 1 && repeats.includes(true)) degree = Number.POSITIVE_INFINITY;
  }
}

// Locates a query's matches in the lines that are shown.

/** Most matches marked in one line: more than fit on a screen. */
const MAX_MATCHES = 200;

/** Returns for each text the starts and ends of its matches, in pairs. `onLine` is called after each text. */
export function highlight(
  texts: readonly string[],
  query: SearchQuery,
  onLine: () => void = () => {},
): number[][] {
  const finder = new MatchFinder(expressionOf(query));
  return texts.map((text) => {
    const matches: number[] = [];
    for (const { index, length } of query.invert ? [] : finder.all(text)) {
      matches.push(index, index + length);
      if (matches.length >= MAX_MATCHES * 2) break;
    }
    onLine();
    return matches;
  });
}

/** Whether a query can match in a part of a line: one by level alone, or for lines without a pattern, can't. */
export function marksText({ invert, pattern }: SearchQuery): boolean {
  return !invert && pattern !== '';
}

/** Marks the matches in those rows that match. */
export function markRows(
  rows: readonly Row[],
  matching: readonly boolean[],
  query: SearchQuery,
  onLine?: () => void,
): Row[] {
  const texts = rows.filter((_, index) => matching[index]).map((row) => row.text);
  const matches = highlight(texts, query, onLine).values();
  return rows.map((row, index) => (matching[index] ? { ...row, matches: matches.next().value! } : row));
}

// Finds matches in a line too long to decode at once, in overlapping windows. A match that touches a window's edge
// is left to the next window, unless that edge is the line's own. So `^` and `$` keep their meaning.

/** A line of up to this size is one window. */
export const WHOLE_LINE_BYTES = 32 * 1024 * 1024;
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Bytes that consecutive windows share. A longer match may be missed. */
const OVERLAP_BYTES = 64 * 1024;

interface ByteExtent {
  offset: number;
  /** Length without the line end. */
  bytes: number;
}

export interface PlaceInLine {
  /** Column of the match from 0, in UTF-16 units of the line's text. */
  column: number;
  /**
   * The window that holds the match: its bytes, their offset in the stream, their text, and the match's place in the
   * text.
   */
  bytes: Uint8Array;
  offset: number;
  decoded: string;
  text: string;
  at: number;
  length: number;
}

/** Returns null without a match; it misses one longer than the overlap. */
export function findInLine(
  stream: OpenStream,
  decoder: Decoder,
  line: ByteExtent,
  finder: MatchFinder,
  raw: boolean,
  /** Called regularly. */
  onProgress: () => void = () => {},
): PlaceInLine | null {
  const whole = line.bytes <= WHOLE_LINE_BYTES;
  let column = 0;
  for (let at = 0; ; ) {
    const bytes = window(stream, decoder, line, at, whole ? line.bytes : WINDOW_BYTES);
    const last = at + bytes.length >= line.bytes;
    const decoded = decoder.decode(bytes);
    const marked = line.offset + at === 0 && decoded.startsWith('\ufeff') ? 1 : 0;
    const text = raw ? decoded.slice(marked) : lineText(decoded.slice(marked));
    const found = firstInside(finder, text, { before: at > 0, behind: !last }, onProgress);
    if (found) {
      const place = { at: found.index, length: found.length, column: column + found.index };
      return { ...place, bytes, offset: line.offset + at, decoded, text };
    }
    if (last) return null;
    const next = characterStart(bytes, bytes.length - OVERLAP_BYTES, decoder.encoding);
    column += lengthBefore(bytes, next, { decoded, text, marked }, decoder);
    at += next;
    onProgress();
  }
}

/** Returns the length of the text that the bytes before `end` make. */
function lengthBefore(
  bytes: Uint8Array,
  end: number,
  { decoded, text, marked }: { decoded: string; text: string; marked: number },
  decoder: Decoder,
): number {
  const isText = text.length === decoded.length - marked;
  return isText
    ? text.length - decoder.decode(bytes.subarray(end)).length
    : lineText(decoder.decode(bytes.subarray(marked === 0 ? 0 : 3, end))).length;
}

/** Reads the line from `at`: at most `most` bytes, and whole characters. */
function window(
  stream: OpenStream,
  decoder: Decoder,
  line: ByteExtent,
  at: number,
  most: number,
): Uint8Array {
  const bytes = Buffer.allocUnsafe(Math.min(most, line.bytes - at));
  stream.read(bytes, line.offset + at);
  if (at + bytes.length >= line.bytes) return bytes;
  return bytes.subarray(0, characterStart(bytes, bytes.length - 4, decoder.encoding));
}

function firstInside(
  finder: MatchFinder,
  text: string,
  isCut: { before: boolean; behind: boolean },
  onProgress: () => void,
): Match | null {
  let found = finder.first(text, 0, onProgress);
  while (found !== null) {
    const { index, length } = found;
    if (!(isCut.before && index === 0) && !(isCut.behind && index + length === text.length)) return found;
    found = index < text.length ? finder.first(text, index + 1, onProgress) : null;
  }
  return null;
}
