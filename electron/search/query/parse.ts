/** Parses an expression to its syntax tree. */

import type { AST } from '@eslint-community/regexpp';
import { RegExpParser } from '@eslint-community/regexpp';
import type { Expression } from './query.ts';

/** Longer expressions are not analysed: V8 runs them as they are. */
const MAX_ANALYSED_CHARS = 20_000;

/** Deepest tree: walking it recurses once for each level, and a thread has a small stack. */
const MAX_DEPTH = 300;

/** Returns null for syntax that only the engine knows, or if analysing would take long. */
export function parseExpression({ source, flags }: Expression): AST.Pattern | null {
  if (source.length > MAX_ANALYSED_CHARS || depthOf(source) > MAX_DEPTH) return null;
  try {
    return new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, undefined, undefined, {
      unicode: flags.includes('u'),
    });
  } catch {
    return null;
  }
}

function depthOf(source: string): number {
  let depth = 0;
  let most = 0;
  for (const [token] of source.matchAll(ESCAPE_OR_CLASS_OR_BRACKET)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

const ESCAPE_OR_CLASS_OR_BRACKET = /\\.|\[(?:\\.|[^\]\\])*\]|[()]/gs;
