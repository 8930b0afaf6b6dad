import { RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp';

/** Where a pattern stops being one, from 0; null when the parser has no objection. */
export function syntaxErrorAt(source: string, unicode: boolean): number | null {
  try {
    new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, undefined, undefined, { unicode });
    return null;
  } catch (error) {
    return error instanceof RegExpSyntaxError ? error.index : null;
  }
}
