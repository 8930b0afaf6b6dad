/** Warns about syntax of other dialects, which JavaScript silently reads as plain letters. */

import { visitRegExpAST } from '@eslint-community/regexpp';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { parseExpression } from './parse.ts';
import { expressionOf } from './query.ts';

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

const POSIX_CLASS = /\[:\^?[a-z]+:\]/g;

/** Returns a sentence; null if nothing is wrong. Throws `usage` for an invalid pattern. */
export function dialectNote(query: SearchQuery): string | null {
  if (query.fixed) return null;
  const tree = parseExpression(expressionOf(query));
  if (!tree) return null;
  const odd = new Set<string>();
  visitRegExpAST(tree, {
    onCharacterEnter({ raw, value }) {
      // JavaScript reads this escape as the letter itself.
      if (/^\\[A-Za-z]$/.test(raw) && raw.charCodeAt(1) === value) odd.add(raw);
    },
    onCharacterClassEnter({ raw, end }) {
      // JavaScript ends the class at the first bracket, so include the one after it.
      for (const [name] of `${raw}${tree.raw.charAt(end - tree.start)}`.matchAll(POSIX_CLASS)) odd.add(name);
    },
  });
  const said = [...odd].slice(0, 3).map((one) => {
    const instead = INSTEAD[one.replace('[:^', '[:')];
    const letters = one.startsWith('\\') ? `the letter ${one[1]}` : 'its letters, one by one';
    return `${one} stands for ${letters}${instead && !one.startsWith('[:^') ? ` (write ${instead})` : ''}`;
  });
  return said.length > 0 ? `patterns are JavaScript's, in which ${said.join(', ')}` : null;
}
