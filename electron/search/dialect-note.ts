/** Warns about syntax of other dialects, which JavaScript silently reads as plain letters. */
import { visitRegExpAST } from '@eslint-community/regexpp';
import type { SearchQuery } from '../../shared/search-query.ts';
import { LF } from '../../shared/text/byte-values.ts';
import { expressionOf, parseExpression } from './expression.ts';

/** The JavaScript equivalent of each. */
const INSTEAD: Readonly<Record<string, string>> = {
  '\\A': '^',
  '\\Z': '$',
  '\\z': '$',
  '\\h': '[ \\t]',
  '\\e': '\\x1b',
  '\\a': '\\x07',
  '[:alpha:]': 'a-zA-Z',
  '[:digit:]': '\\d',
  '[:alnum:]': 'a-zA-Z0-9',
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:space:]': '\\s',
  '[:blank:]': ' \\t',
  '[:xdigit:]': '0-9a-fA-F',
  '[:punct:]': '!-\\/:-@\\[-`{-~',
  '[:word:]': '\\w',
};

/** Escapes of grep's basic expressions. In JavaScript they mean the character itself, which may be intended. */
const BASIC: Readonly<Record<string, string>> = { '\\|': '|', '\\<': '\\b', '\\>': '\\b' };

/** Slashes around the whole pattern, as in JavaScript and Perl programs, or just a path. */
const DELIMITED = /^\/.+\/[dgimsuvyx]*$/s;

const LINE_BY_LINE = 'a pattern is matched against one line at a time, so a newline in it matches nothing';

const POSIX_CLASS = /\[:\^?[a-z]+:\]/g;

/**
 * Returns a sentence; null if nothing is wrong. `isFruitless`: no line matched. Then also names syntax that is usually
 * meant as JavaScript reads it. Throws `usage` for an invalid pattern.
 */
export function dialectNote(query: SearchQuery, isFruitless: boolean): string | null {
  if (query.fixed) return isFruitless && query.pattern.includes('\n') ? LINE_BY_LINE : null;
  const tree = parseExpression(expressionOf(query));
  if (!tree) return null;
  const odd = new Set<string>();
  let hasNewline = false;
  visitRegExpAST(tree, {
    onCharacterEnter({ raw, value }) {
      // JavaScript reads this escape as the letter itself.
      if (/^\\[A-Za-z]$/.test(raw) && raw.charCodeAt(1) === value) odd.add(raw);
      if (isFruitless && Object.hasOwn(BASIC, raw)) odd.add(raw);
      if (value === LF) hasNewline = true;
    },
    onCharacterClassEnter({ raw, end }) {
      // JavaScript ends the class at the first bracket, so include the one after it.
      for (const [name] of `${raw}${tree.raw.charAt(end - tree.start)}`.matchAll(POSIX_CLASS)) odd.add(name);
    },
  });
  const said = [...odd].slice(0, 3).map(meaningOf);
  if (isFruitless && DELIMITED.test(query.pattern))
    said.push('slashes around a pattern stand for themselves (leave them out, and flags after them)');
  if (said.length > 0) return `patterns are JavaScript's, in which ${said.join(', ')}`;
  return isFruitless && hasNewline ? LINE_BY_LINE : null;
}

function meaningOf(odd: string): string {
  const instead = BASIC[odd] ?? INSTEAD[odd.replace('[:^', '[:')];
  const own = /^\\\w/.test(odd) ? `the letter ${odd[1]}` : `the character ${odd[1]}`;
  const meaning = odd.startsWith('\\') ? own : 'its letters, one by one';
  return `${odd} stands for ${meaning}${instead && !odd.startsWith('[:^') ? ` (write ${instead})` : ''}`;
}
