/**
 * A query, compiled: which lines of a block match it.
 *
 *     exact literals      found in the bytes, and that is the answer
 *     required literals   found in the bytes, then the expression runs on the lines that hold one
 *     neither             the expression, made line-safe, runs over the decoded block
 *     not line-safe       the expression runs on each line
 */
import type { SearchQuery } from '../../shared/search-query.ts';
import type { Block } from './blocks.ts';
import { byteLiteral } from './byte-literal.ts';
import { lineSafeSource } from './line-safe.ts';
import { lineTextBlock } from './line-text-block.ts';
import { linesHolding, literalLines } from './literal-lines.ts';
import { requiredLiterals } from './literals.ts';
import { parseExpression } from './parse.ts';
import { compiled, expressionOf } from './query.ts';
import { type Area, type ByteLiteral, MAX_LITERAL_BYTES, NOT_ASCII, type Scanner } from './scanner.ts';

export interface Matcher {
  /** Calls `found` with the number of each matching line, from 0 for the block's first, in order. */
  match(scanner: Scanner, block: Block, found: (line: number) => void): void;
}

/** Throws `usage` for a pattern that is no expression. `invert` is the caller's business. */
export function compileMatcher(query: SearchQuery): Matcher {
  const expression = expressionOf(query);
  const { source, flags } = expression;
  const tree = parseExpression(expression);
  const required = tree && requiredLiterals(tree, flags);
  const literals = required?.texts.map((text) => byteLiteral(text, flags.includes('i'))) ?? [];
  const tooLong = literals.some((literal) => literal.bytes.length > MAX_LITERAL_BYTES);
  if (literals.length > 0 && !tooLong && required?.exact) return literalMatcher(literals);
  const lineExpression = compiled(source, flags);
  const safe = tree && lineSafeSource(tree, flags);
  const blocks =
    safe === null
      ? eachLine(lineExpression)
      : wholeBlock(new RegExp(safe, `${flags.replace('s', '')}gm`), lineExpression);
  return literals.length > 0 && !tooLong ? candidates(literals, lineExpression, blocks) : blocks;
}

function literalMatcher(literals: readonly ByteLiteral[]): Matcher {
  const linesOf = linesHolding(literals);
  return {
    match(scanner, block, found) {
      const { count, lines } = linesOf(scanner, block);
      for (let i = 0; i < count; i += 1) found(lines[i]!);
    },
  };
}

/** Above this share of the block's lines, looking at each candidate costs more than looking at everything. */
const DENSE = 0.2;

function candidates(literals: readonly ByteLiteral[], expression: RegExp, otherwise: Matcher): Matcher {
  const linesOf = literalLines(literals);
  return {
    match(scanner, block, found) {
      const { count, lines, places, block: text } = linesOf(scanner, block);
      if (block.part) return count > 0 ? otherwise.match(scanner, block, found) : undefined;
      if (count > 64 && count > block.newlines * DENSE) return otherwise.match(scanner, block, found);
      const bytes = areaOf(scanner, text.area);
      for (let i = 0; i < count; i += 1) {
        const place = places[i]!;
        const start =
          place === text.start ? place : Math.max(text.start, bytes.lastIndexOf(10, place - 1) + 1);
        const newline = bytes.indexOf(10, place);
        const end = !text.asIs && bytes[newline - 1] === 13 ? newline - 1 : newline;
        if (expression.test(decode(bytes, start, end, text.kinds))) found(lines[i]!);
      }
    },
  };
}

const WHOLE = { first: true, last: true };

function wholeBlock(expression: RegExp, lineExpression: RegExp): Matcher {
  const slow = eachLine(lineExpression);
  return {
    match(scanner, block, found) {
      const text = textOf(scanner, block);
      // These end a line for `^` and `$`, and for nothing else.
      if (/[\r\u2028\u2029]/.test(text)) return slow.match(scanner, block, found);
      const { first, last } = block.part ?? WHOLE;
      let line = 0;
      let lineStart = 0;
      expression.lastIndex = first ? 0 : 1;
      while (expression.lastIndex <= text.length && expression.test(text)) {
        const end = expression.lastIndex;
        // What touches the edge of a part is found whole in the next one.
        if (!last && end === text.length) return;
        for (
          let next = text.indexOf('\n', lineStart);
          next >= 0 && next < end;
          next = text.indexOf('\n', lineStart)
        ) {
          line += 1;
          lineStart = next + 1;
        }
        // Behind the block's last line end there is no line.
        if (lineStart === text.length && text.length > 0) return;
        found(line);
        const next = text.indexOf('\n', end);
        if (next < 0) return;
        expression.lastIndex = next + 1;
        line += 1;
        lineStart = next + 1;
        if (lineStart === text.length) return;
      }
    },
  };
}

function eachLine(expression: RegExp): Matcher {
  return {
    match(scanner, block, found) {
      const text = textOf(scanner, block);
      let line = 0;
      for (let start = 0; start < text.length; line += 1) {
        const next = text.indexOf('\n', start);
        const end = next < 0 ? text.length : next;
        if (expression.test(text.slice(start, end))) found(line);
        if (next < 0) return;
        start = next + 1;
      }
    },
  };
}

function textOf(scanner: Scanner, block: Block): string {
  const { area, start, end, kinds } = lineTextBlock(scanner, block);
  return decode(areaOf(scanner, area), start, end, kinds);
}

function areaOf(scanner: Scanner, area: Area): Buffer {
  return (area === 'source' ? scanner.source : scanner.stripped) as Buffer;
}

function decode(bytes: Buffer, start: number, end: number, kinds: number): string {
  return bytes.toString((kinds & NOT_ASCII) === 0 ? 'latin1' : 'utf8', start, end);
}
