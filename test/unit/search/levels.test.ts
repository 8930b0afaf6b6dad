import { describe, expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import { searchStretch } from '../../../electron/search/search-stretch.ts';
import { LineSet } from '../../../shared/line-set.ts';
import { ERROR_LINES, SearchQuery } from '../../../shared/search-query.ts';
import { LEVELS } from '../../../shared/text/level-words.ts';
import { levelOf } from '../../../shared/text/levels.ts';
import fc from '../../fixtures/fast-check.ts';
import { indexed, sourceOf } from '../../fixtures/reader/indexed.ts';
import { telling } from '../../fixtures/search/level-lines.ts';

function found(lines: readonly string[], query: SearchQuery): number[] {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const request = { query, raw: false, start: null, end: null };
  const result = searchStretch(sourceOf(bytes), indexed(bytes), decoderFor('utf-8'), request);
  return LineSet.from(result.lines).slice(0, Number.MAX_SAFE_INTEGER);
}

const lines = Object.values(telling).flat();
const plain = ['0 errors', 'no error: fine', 'the error_handler.c', 'errors everywhere', '', 'x'.repeat(300)];

describe('a search for levels', () => {
  it('finds every line that tells one, and no other', () => {
    for (const level of LEVELS) {
      const all = [...lines, ...plain];
      const expected = all.flatMap((line, i) => (levelOf(line) === level ? [i + 1] : []));
      expect(found(all, { ...ERROR_LINES, levels: [level] }), level).toEqual(expected);
      expect(expected.length).toBeGreaterThan(0);
    }
  });

  it('finds them beside anything else, in colour, and inverted', () => {
    const dress = fc
      .constantFrom(...lines, ...plain)
      .chain((line) =>
        fc.constantFrom(
          line,
          `\x1b[31m${line}\x1b[0m`,
          `${line} and more`,
          `{"x":1,"m":${JSON.stringify(line)}}`,
        ),
      );
    fc.assert(
      fc.property(fc.array(dress, { maxLength: 40 }), fc.boolean(), (texts, invert) => {
        const shown = texts.map((text) => text.replaceAll(/\x1b\[\d+m/g, ''));
        const wanted = (line: string) => ['fatal', 'error'].includes(levelOf(line) ?? '');
        const expected = shown.flatMap((line, i) => (wanted(line) !== invert ? [i + 1] : []));
        expect(found(texts, { ...ERROR_LINES, invert })).toEqual(
          texts.length === 0 ? found([], { ...ERROR_LINES, invert }) : expected,
        );
      }),
    );
  });

  it('matches an expression too, where one is given', () => {
    const texts = ['ERROR one', 'ERROR two', 'INFO two', 'error: two'];
    expect(found(texts, { ...ERROR_LINES, pattern: 'two', fixed: false })).toEqual([2, 4]);
  });

  it('reads the level of a line longer than a block at its beginning', () => {
    const long = 'x'.repeat(3_000_000);
    expect(found([`ERROR ${long}`, `INFO ${long} ERROR`, 'ERROR'], ERROR_LINES)).toEqual([1, 3]);
  });

  it('wants a pattern or levels', () => {
    expect(SearchQuery.safeParse({ ...ERROR_LINES, levels: undefined }).success).toBe(false);
    expect(SearchQuery.safeParse(ERROR_LINES).success).toBe(true);
  });
});
