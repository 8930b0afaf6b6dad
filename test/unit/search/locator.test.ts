/** Finds the matches that `RegExp` finds, also where `RegExp` would not end. */
import { describe, expect, it } from 'vitest';
import { alphabetOf } from '../../../electron/search/automaton/alphabet.ts';
import { parseExpression } from '../../../electron/search/expression.ts';
import { Locator, type Match, pathsOf } from '../../../electron/search/locator.ts';
import { MatchFinder } from '../../../electron/search/match-finder.ts';
import fc from '../../fixtures/fast-check.ts';
import { pattern, repeatsRepetitions } from '../../fixtures/search/patterns.ts';
import { cases } from '../../fixtures/sizes.ts';

/** Null for expressions that the locator is not for. */
function locatorOf(source: string, flags: string): Locator | null {
  const tree = parseExpression({ source, flags });
  const paths = tree && pathsOf(tree, flags);
  const alphabet = paths && alphabetOf(paths, flags.includes('u'));
  return paths && alphabet ? new Locator(paths, alphabet) : null;
}

/** All matches, first to last, also empty ones. */
function located(locator: Locator, text: string, unicode: boolean): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; at <= text.length; ) {
    const match = locator.first(text, at);
    if (match === null) break;
    found.push([match.index, match.length]);
    at = match.index + match.length;
    if (match.length === 0) at += unicode && text.codePointAt(at)! > 0xffff ? 2 : 1;
  }
  return found;
}

const expected = (source: string, flags: string, text: string) =>
  [...text.matchAll(new RegExp(source, `${flags}g`))].map(({ index, 0: { length } }) => [index, length]);

const compiles = (source: string, flags: string) => {
  try {
    return Boolean(new RegExp(source, flags));
  } catch {
    return false;
  }
};

const words = fc.constantFrom(
  ...['a', 'b', 'A', 'k', 'K', 's', 'ſ', '\u212a', 'é', 'É', '1', ' ', '-', '"', ':', ','],
  ...['ab', 'foo', 'bar', '日', '😀', '\t', '\u2028', '_'],
);
const text = fc.array(words, { maxLength: 14 }).map((parts) => parts.join(''));
const flags = fc.constantFrom('', 'i', 's', 'u', 'iu');

/** In each, rounds can be empty, or one text can be read in several ways. */
const NESTED = [
  ...[
    '(?:|a)+',
    '(?:a|)+',
    '(?:|a)*',
    '(?:|a)?',
    '(?:|a){0,2}',
    '(?:(?:|a){0,2}b?)*',
    '(?:b|(?:|a){0,3}){0,2}',
    '(?:a?)*',
    '(?:a*)*b',
    '(?:a*?)*?b',
    '(?:a*)+',
    '(?:a??)+b',
    '(a?b?)*?-',
  ],
  ...[
    '(?:a|ab)(?:bar|b)*',
    '(?:a*b?)*a',
    '(?:(?:a?)*(?:b?)*)*',
    '(?:\\b|a)+',
    '(?:^a?)*b',
    '(?:a?$)*',
    '(?:$|a)*',
  ],
  ...[
    '(?:a|b|ab)*?(?:b|:)',
    '(?:a{0,2}){2,3}b',
    '(?:a?){3}',
    '(?:a|){2,}b',
    '(?:(?:|a){2}|b)*',
    '(?:a*){0,2}k',
  ],
  ...[
    '(?:\\w+\\s?)+:',
    '(?:a.*){3}',
    '(?:(?:(?:a?)*b?)*1?)*-',
    '(?:\\B|[ab])*k',
    '(?:[^a]*a??)*b',
    '(?:|b|ab)+?1',
  ],
];

describe('the locator finds what `RegExp` finds', () => {
  it('for thousands of expressions', () => {
    let tried = 0;
    fc.assert(
      fc.property(pattern, text, flags, (source, line, wanted) => {
        fc.pre(compiles(source, wanted) && !repeatsRepetitions(source));
        const locator = locatorOf(source, wanted);
        if (locator === null) return;
        tried += 1;
        expect(located(locator, line, wanted.includes('u'))).toEqual(expected(source, wanted, line));
      }),
      { numRuns: cases(10_000) },
    );
    expect(tried).toBeGreaterThan(cases(10_000) / 3);
  });

  it('where rounds are empty, or one text can be read in several ways', () => {
    const nested = fc.constantFrom(...NESTED);
    const short = fc.array(words, { maxLength: 7 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(nested, short, flags, (source, line, wanted) => {
        const locator = locatorOf(source, wanted);
        if (wanted.includes('u') && source.includes('\\B')) expect(locator).toBe(null);
        else expect(located(locator!, line, wanted.includes('u'))).toEqual(expected(source, wanted, line));
      }),
      { numRuns: cases(10_000) },
    );
  });
});

describe('a match is found', () => {
  const first = (source: string, line: string, wanted = '') =>
    new MatchFinder({ source, flags: wanted }).first(line);
  const at = (index: number, length: number): Match => ({ index, length });
  const many = 'a'.repeat(100_000);

  it.each([
    ['(a|a)*b', `${many}c b`, at(100_002, 1)],
    ['(?:a*)*b', `${many}c ab`, at(100_002, 2)],
    ['(?:\\w+\\s?)+:', `${'word '.repeat(10_000)}; x:`, at(50_002, 2)],
    ['(?:a.*){20}', `${'a '.repeat(20_000)}`, at(0, 40_000)],
    ['\\w+\\s\\d', `${many}- a 1`, at(100_002, 3)],
    ['a.*b.*c', `${'ab'.repeat(50_000)}`, null],
  ])('for %s, which lets V8 try very many ways', (source, line, match) => {
    expect(first(source, line)).toEqual(match);
    expect(first(source, line, 'i')).toEqual(match);
  });

  it('by V8 where the locator can not', () => {
    expect(first('(\\w+)\\1-(?=b)', 'aabaab-b')).toEqual(at(0, 7));
  });

  it('and long work is told of', () => {
    let told = 0;
    const progress = () => {
      told += 1;
    };
    new MatchFinder({ source: '(a|a)*b', flags: '' }).first(many, 0, progress);
    expect(told).toBeGreaterThan(10);
  });
});
