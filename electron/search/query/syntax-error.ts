import { RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp';

/** Returns the offset at which a pattern becomes invalid; null if the parser accepts it. */
export function syntaxErrorAt(source: string, unicode: boolean): number | null {
  try {
    new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, undefined, undefined, { unicode });
    return null;
  } catch (error) {
    return error instanceof RegExpSyntaxError ? error.index : null;
  }
}
