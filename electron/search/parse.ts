/** An expression's syntax tree. */

import type { AST } from '@eslint-community/regexpp';
import { RegExpParser } from '@eslint-community/regexpp';
import type { Expression } from './query.ts';

export type { AST };

/** Longer expressions are not analysed: they are run as they are. */
const MAX_ANALYSED = 20_000;

/** Null where the parser does not know what the engine knows, or where analysing would take long. */
export function parseExpression({ source, flags }: Expression): AST.Pattern | null {
  if (source.length > MAX_ANALYSED) return null;
  try {
    return new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, undefined, undefined, {
      unicode: flags.includes('u'),
    });
  } catch {
    return null;
  }
}
