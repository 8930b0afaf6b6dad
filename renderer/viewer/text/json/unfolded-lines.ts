/**
 * Unfolds a JSON line: each field on a line of its own, nested ones indented, and long texts split at their line ends.
 */
import type { JsonLine } from '../../../../shared/text/json/json-line.ts';
import type { Token } from '../../../../shared/text/json/tokens.ts';
import { between, exact, type LineFragment, textOf } from './fragments.ts';

/** Most screen lines of one unfolded line. */
const MAX_UNFOLDED_LINES = 400;
const INDENT = '  ';
const MAX_INDENT = 40;

interface UnfoldOptions {
  /** Whether to split a string at its line ends. */
  splitStrings: boolean;
  maxLines: number;
}

export function unfoldedLines(
  line: JsonLine,
  { splitStrings, maxLines }: UnfoldOptions = { splitStrings: true, maxLines: MAX_UNFOLDED_LINES },
): LineFragment[][] {
  const { text, tokens } = line;
  const lines: LineFragment[][] = [[]];
  let depth = 0;
  const begin = (at: number) => lines.push([between(INDENT.repeat(Math.min(depth, MAX_INDENT)), at)]);
  for (const [index, token] of tokens.entries()) {
    if (lines.length > maxLines) return [...lines.slice(0, maxLines - 1), [between('… more', token.from)]];
    const sign = signOf(text, token);
    const next = tokens[index + 1];
    if (sign === '}' || sign === ']') {
      depth -= 1;
      if (!isOpening(signOf(text, tokens[index - 1]))) begin(token.from);
    }
    const add = (...fragments: LineFragment[]) => lines.at(-1)!.push(...fragments);
    if (token.kind === 'string' && splitStrings && signOf(text, next) !== ':') {
      const [first, ...others] = atLineEnds(text, token);
      add(first!);
      for (const part of others) {
        begin(part.from);
        add(between(INDENT, part.from), part);
      }
    } else add(exact(text, token, lookOf(token, signOf(text, next))));
    if (sign === ':') add(between(' ', token.to));
    if (isOpening(sign)) depth += 1;
    const isEmpty = isOpening(sign) && isClosing(signOf(text, next));
    if ((isOpening(sign) && !isEmpty && next) || sign === ',') begin(token.to);
  }
  return lines;
}

/** Returns all lines as text, without a limit. */
export function unfoldedText(line: JsonLine): string {
  const lines = unfoldedLines(line, { splitStrings: false, maxLines: Number.POSITIVE_INFINITY });
  return lines.map(textOf).join('\n');
}

function signOf(text: string, token: Token | undefined): string {
  return token?.kind === 'punctuation' ? text[token.from]! : '';
}

function isOpening(sign: string): boolean {
  return sign === '{' || sign === '[';
}

function isClosing(sign: string): boolean {
  return sign === '}' || sign === ']';
}

function lookOf({ kind }: Token, next: string): LineFragment['look'] {
  if (kind === 'punctuation') return 'sign';
  return kind === 'string' && next === ':' ? 'key' : 'value';
}

/** Splits a string after each escaped line end. */
function atLineEnds(text: string, { from, to }: Token): LineFragment[] {
  const parts: LineFragment[] = [];
  let start = from;
  for (const { 0: found, index } of text.slice(from, to).matchAll(/\\n|\\./g)) {
    const end = from + index + found.length;
    // The closing quote alone needs no line.
    if (found !== '\\n' || end >= to - 1) continue;
    parts.push(exact(text, { from: start, to: end }, 'value'));
    start = end;
  }
  parts.push(exact(text, { from: start, to }, 'value'));
  return parts;
}
