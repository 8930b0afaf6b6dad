import { describe, expect, it } from 'vitest';
import { formatHash, parseHash } from '../../../../renderer/app/tabs/tab-state.ts';
import type { SearchSnapshot } from '../../../../renderer/search/open-search.ts';
import { hint } from '../../../../renderer/search/results/ResultsPane.tsx';
import { nearestMatch } from '../../../../renderer/search/results/use-result-cursor.ts';
import { restoreResults } from '../../../../renderer/search/results/use-results-layout.ts';
import { countWords, isSearching, nothingFound, warnings } from '../../../../renderer/search/SearchBar.tsx';
import {
  NO_SEARCH,
  narrowed,
  queryOf,
  smartCase,
  typedPattern,
} from '../../../../renderer/search/search-settings.ts';
import {
  KEPT_SEARCHES,
  parseHistory,
  stepInHistory,
  withSearch,
} from '../../../../renderer/search/use-search-bar.ts';
import { rulerPath, scaleOf } from '../../../../renderer/viewer/scrolling/Ruler.tsx';
import type { StyledPiece } from '../../../../renderer/viewer/text/ansi.ts';
import { matchPieces } from '../../../../renderer/viewer/text/pieces.ts';
import type { SearchTerm } from '../../../../shared/search-query.ts';
import fc from '../../../fixtures/fast-check.ts';

describe('the search settings', () => {
  it('take the case from the pattern where a person chose that', () => {
    expect(typedPattern('Error', false)).toEqual({ pattern: 'Error' });
    smartCase.set(true);
    const isExact = (pattern: string, fixed = false) => typedPattern(pattern, fixed).case_sensitive;
    expect(['error', '\\Werror\\S', '\\p{Lu}x', ''].map((each) => isExact(each))).toEqual(
      Array(4).fill(false),
    );
    expect(['Error', '\\WÉa', 'a|B'].map((each) => isExact(each))).toEqual(Array(3).fill(true));
    expect(isExact('\\S', true)).toBe(true);
    smartCase.set(false);
  });

  it('are not disturbed by the lines of a link', () => {
    const lines = (hash: string) => {
      const { line, lastLine } = parseHash(hash);
      return [line, lastLine];
    };
    expect(lines('#a=x&l=7')).toEqual([7, undefined]);
    expect(lines('#a=x&l=7-7')).toEqual([7, 7]);
    expect(lines('#a=x&l=7-9')).toEqual([7, 9]);
    expect(lines('#a=x&l=9-7')).toEqual([9, undefined]);
    expect(lines('#a=x&l=-7')).toEqual([null, undefined]);
    expect(lines('#a=x&l=7-9-11')).toEqual([7, 9]);
    expect(lines('#a=x')).toEqual([null, undefined]);
  });

  it('come back from the address', () => {
    const term = {
      pattern: fc.string({ minLength: 1 }),
      fixed: fc.boolean(),
      case_sensitive: fc.boolean(),
      invert: fc.boolean(),
      word: fc.constant(true as const),
    };
    const always = ['pattern', 'fixed', 'case_sensitive', 'invert'] as const;
    const within = fc.array(fc.record(term, { requiredKeys: [...always] }), { maxLength: 3 });
    const search = fc.record({ ...term, within }, { requiredKeys: [...always, 'within'] });
    fc.assert(
      fc.property(search, (given) => {
        const place = { artifactId: 'x', stream: null, line: 7, search: given };
        expect(parseHash(formatHash(place))).toEqual(place);
      }),
    );
  });

  it('keep the form of addresses that people may have stored', () => {
    const search = {
      ...NO_SEARCH,
      ...{ pattern: 'a', fixed: true, case_sensitive: true },
      within: [
        { pattern: 'b:c', fixed: false, case_sensitive: false, invert: true },
        { pattern: 'd', fixed: false, case_sensitive: false, invert: false },
      ],
    };
    const hash = '#a=x&w=v%3Ab%3Ac&w=%3Ad&q=a&f=pc';
    expect(formatHash({ artifactId: 'x', stream: null, line: null, search })).toBe(hash);
    expect(parseHash(hash).search).toEqual(search);
  });

  it('are empty without a pattern', () => {
    expect(formatHash({ artifactId: 'x', stream: null, line: null, search: null })).toBe('#a=x');
    expect(parseHash('#a=x&q=&f=c').search).toBeUndefined();
    expect(queryOf({ ...NO_SEARCH, case_sensitive: true, invert: true })).toBeNull();
  });

  it('mean plain text exactly when regular expressions are off', () => {
    const settings = { ...NO_SEARCH, pattern: 'a', fixed: true, case_sensitive: true };
    expect(queryOf(settings)).toEqual({ pattern: 'a', fixed: true, case_sensitive: true, invert: false });
  });
});

describe('a search within another', () => {
  it('searches the matches of the other, and shows them until a pattern is typed', () => {
    const first = { ...NO_SEARCH, pattern: 'a', invert: true };
    const next = { ...first, ...narrowed(first) };
    expect(next.pattern).toBe('');
    expect(queryOf(next)).toEqual(queryOf(first));
    expect(queryOf({ ...next, pattern: 'b' })).toEqual({
      ...queryOf({ ...NO_SEARCH, pattern: 'b' }),
      within: [queryOf(first)],
    });
  });
});

describe('a search that finds nothing', () => {
  it('names the searches that it was within', () => {
    const term = { pattern: 'a', fixed: true, case_sensitive: false, invert: false };
    expect(nothingFound(term)).toBe('No line matches “a”');
    expect(nothingFound({ ...term, word: true })).toBe('No line matches “a” as a whole word');
    const within = [
      { ...term, pattern: 'b' },
      { ...term, pattern: 'c', invert: true },
    ];
    expect(nothingFound({ ...term, within })).toBe('No line found by “b” › not “c” matches “a”');
    expect(nothingFound({ ...term, invert: true, within: within.slice(0, 1) })).toBe(
      'Every line found by “b” matches “a”',
    );
  });
});

describe('the earlier searches', () => {
  const term = (pattern: string, more: Partial<SearchTerm> = {}): SearchTerm => ({
    ...{ pattern, fixed: false, case_sensitive: false, invert: false },
    ...more,
  });

  it('hold the newest twenty, no pattern twice, with the switches it had last', () => {
    let searches: SearchTerm[] = [];
    for (let i = 0; i < 30; i += 1) searches = withSearch(searches, term(`p${i}`));
    searches = withSearch(searches, term('p20', { fixed: true, word: true }));
    expect(searches).toHaveLength(KEPT_SEARCHES);
    expect(searches.slice(0, 3)).toEqual([
      term('p20', { fixed: true, word: true }),
      term('p29'),
      term('p28'),
    ]);
    expect(new Set(searches.map(({ pattern }) => pattern)).size).toBe(KEPT_SEARCHES);
    expect(withSearch(searches, term(''))).toEqual(searches);
    expect(withSearch(searches, term('x'.repeat(5000)))).toEqual(searches);
  });

  it('are read as earlier versions stored them, without invalid ones', () => {
    for (const stored of [null, '', '{', '{}', 'null', '7']) expect(parseHistory(stored)).toEqual([]);
    const stored = [
      'a',
      7,
      '',
      null,
      { pattern: 'b', word: true },
      { pattern: 'c', fixed: 3 },
      { fixed: true },
    ];
    expect(parseHistory(JSON.stringify(stored))).toEqual([term('a'), term('b', { word: true })]);
    expect(parseHistory(JSON.stringify(Array.from({ length: 99 }, String)))).toHaveLength(KEPT_SEARCHES);
  });

  it('are stepped through from the newest to the oldest and back to the empty field', () => {
    const searches = [term('c'), term('b')];
    expect(stepInHistory(searches, -1, 1)).toBe(0);
    expect(stepInHistory(searches, 0, 1)).toBe(1);
    expect(stepInHistory(searches, 1, 1)).toBeNull();
    expect(stepInHistory(searches, 0, -1)).toBe(-1);
    expect(stepInHistory(searches, -1, -1)).toBeNull();
    expect(stepInHistory([], -1, 1)).toBeNull();
  });
});

describe('marks in a text', () => {
  const piece = (text: string, ...classes: string[]): StyledPiece => ({ text, classes, style: null });

  it('cut its pieces at their edges, and keep the pieces’ styles', () => {
    const pieces = [piece('a '), piece('red f', 'fg1'), piece('ox')];
    expect(
      matchPieces(pieces, [2, 8]).map(({ text, classes, match, start, end }) => [
        text,
        classes[0] ?? '',
        match,
        start,
        end,
      ]),
    ).toEqual([
      ['a ', '', false, false, false],
      ['red f', 'fg1', true, true, false],
      ['o', '', true, false, true],
      ['x', '', false, false, false],
    ]);
  });

  it('may touch each other, and reach beyond a text that was cut', () => {
    const parts = matchPieces([piece('abcd')], [0, 1, 1, 2, 3, 99]);
    expect(parts.map(({ text, match, start }) => [text, match, start])).toEqual([
      ['a', true, true],
      ['b', true, true],
      ['c', false, false],
      ['d', true, true],
    ]);
  });

  it('keep exactly the text, and mark exactly their ranges', () => {
    const matches = fc
      .uniqueArray(fc.nat(40), { maxLength: 12 })
      .map((ends) => ends.sort((a, b) => a - b).slice(0, ends.length - (ends.length % 2)));
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 9 })), matches, (texts, ranges) => {
        const whole = texts.join('');
        const parts = matchPieces(
          texts.map((text) => piece(text)),
          ranges,
        );
        expect(parts.map((part) => part.text).join('')).toBe(whole);
        const marked = parts.flatMap((part) => Array.from({ length: part.text.length }, () => part.match));
        const wanted = Array.from({ length: whole.length }, (_, at) => {
          for (let i = 0; i < ranges.length; i += 2) if (at >= ranges[i]! && at < ranges[i + 1]!) return true;
          return false;
        });
        expect(marked).toEqual(wanted);
      }),
    );
  });
});

describe('marks in the scrollbar', () => {
  it('are one box for neighbours, at least two pixels high', () => {
    expect(rulerPath([0, 3, 1, 0, 0, 0, 9], 1)).toBe('M0 1h1v2h-1zM0 6h1v2h-1z');
    expect(rulerPath([1, 1, 1, 1], 1)).toBe('M0 0h1v4h-1z');
    expect(rulerPath([], 1)).toBe('');
    expect(rulerPath([0, 0], 1)).toBe('');
  });

  it('stay thin where lines are high', () => {
    expect(rulerPath([1, 1, 0], 0.01)).toBe('M0 0h1v0.03h-1zM0 1h1v0.03h-1z');
  });
});

describe('the match nearest to a row of the results', () => {
  const near = (matching: (boolean | null)[], from: number, direction: 1 | -1) => {
    const rows = matching.map((is, i) => (is === null ? undefined : { line: i + 1, match: is ? i : null }));
    return nearestMatch({ row: (at) => rows[at] }, from, direction, rows.length)?.row ?? null;
  };

  it('is the row itself, else the next in the direction, else the one before', () => {
    const rows = [false, true, false, false, true, false];
    expect([0, 1, 2, 3, 4, 5].map((row) => near(rows, row, 1))).toEqual([1, 1, 4, 4, 4, 4]);
    expect([0, 1, 2, 3, 4, 5].map((row) => near(rows, row, -1))).toEqual([1, 1, 1, 1, 4, 4]);
  });

  it('is unknown while rows on the way to it are missing', () => {
    expect(near([true, false, null, true], 1, 1)).toBeNull();
    expect(near([true, false, null, true], 1, -1)).toBe(0);
    expect(near([], 0, 1)).toBeNull();
  });
});

describe('the summary of a search', () => {
  const state = {
    generation: 1,
    searched_bytes: 430,
    total_bytes: 1000,
    match_count: 1234,
    row_counts: [1234, 2000, 3000, 4000],
    done: true,
    timed_out: false,
    in_parts: false,
  };
  const snapshot = (change: Partial<SearchSnapshot>): SearchSnapshot => ({
    state,
    error: null,
    cancelled: false,
    caughtUp: true,
    total: 1234,
    rowCount: 1234,
    ...change,
  });
  const under = { ...state, done: false };

  it('has the number of matching lines, and the position among them', () => {
    expect(countWords(snapshot({}), null)).toBe('1,234 matching lines');
    expect(countWords(snapshot({ total: 1 }), null)).toBe('1 matching line');
    expect(countWords(snapshot({}), 2)).toBe('3 of 1,234');
    expect(countWords(snapshot({ total: 0 }), null)).toBe('No matching line');
  });

  it('never presents a partial count as the total', () => {
    expect(countWords(snapshot({ state: under, caughtUp: false }), null)).toBe('1,234 matching lines so far');
    expect(countWords(snapshot({ state: under, caughtUp: false, total: 0 }), null)).toBe('None found so far');
    expect(countWords(snapshot({ state: under, cancelled: true }), null)).toBe('1,234 matching lines so far');
    const left = { ...state, timed_out: true };
    expect(countWords(snapshot({ state: left, total: 0 }), null)).toBe('None found in what was searched');
    expect(countWords(snapshot({ state: null, total: 0, caughtUp: false }), null)).toBeNull();
    expect(countWords(snapshot({ state: null, total: 0, cancelled: true }), null)).toBe('Cancelled');
  });

  it('does not show progress when a text that was searched grows a little', () => {
    expect(isSearching(snapshot({ state: under }))).toBe(false);
    expect(isSearching(snapshot({ state: under, caughtUp: false }))).toBe(true);
    expect(isSearching(snapshot({ state: under, caughtUp: false, cancelled: true }))).toBe(false);
  });

  it('says when the search timed out, was cancelled or left out parts', () => {
    expect(warnings(snapshot({}))).toEqual([]);
    expect(warnings(snapshot({ state: { ...state, timed_out: true } }))[0]).toMatch(/^Timed out/);
    expect(warnings(snapshot({ state: under, cancelled: true }))[0]).toMatch(/^Cancelled at 43 %/);
    expect(warnings(snapshot({ state: { ...state, in_parts: true } }))[0]).toMatch(/4 MiB/);
    // It was done before it was cancelled: nothing was left out.
    expect(warnings(snapshot({ cancelled: true }))).toEqual([]);
  });
});

describe('the results', () => {
  it('come back with the settings that were stored, as far as those are valid', () => {
    expect(restoreResults('{"height":300,"folded":true,"context":2}')).toEqual({
      height: 300,
      folded: true,
      context: 2,
    });
    const usual = { height: 240, folded: false, context: 0 };
    for (const stored of [null, '{', '[]', '{"height":1,"folded":"x","context":9}', '{"context":1.5}']) {
      expect(restoreResults(stored)).toEqual(usual);
    }
  });
});

it('covers a part of the text with the ruler, also while its lines are counted anew', () => {
  expect(scaleOf({ first: 11, size: 10 }, 100, 50)).toEqual({ from: 0.1, size: 0.1, lines: 100, height: 50 });
  // Truncated: its rows are still drawn.
  expect(scaleOf({ first: 1, size: 10 }, 0, 50)).toEqual({ from: 0, size: 1, lines: 10, height: 50 });
});

it.each([
  ['retry', { case_sensitive: true }, /distinguishes upper and lower case/],
  ['404', { case_sensitive: true }, /^Appended text/],
  ['a.b', {}, /^Appended text/],
  ['f(x)', {}, /is a regular expression: Alt\+R in the field takes it as plain text/],
  ['GET .* 500', { fixed: true }, /is plain text: Alt\+R in the field takes it as a regular expression/],
  ['a.b', { fixed: true }, /^Appended text/],
  ['retry', { word: true }, /^Whole word is on/],
])('where nothing matches, %s gets the hint that helps', (pattern, switches, words) => {
  expect(hint({ ...NO_SEARCH, pattern, ...switches })).toMatch(words);
});
