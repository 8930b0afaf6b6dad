/** A search for literals in the bytes of coloured text must find the same lines as one in stripped lines. */

import { describe, expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import { expressionOf } from '../../../electron/search/expression.ts';
import { searchStretch } from '../../../electron/search/search-stretch.ts';
import { LineSet } from '../../../shared/line-set.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import fc from '../../fixtures/fast-check.ts';
import { indexed, sourceOf } from '../../fixtures/reader/indexed.ts';
import { cases } from '../../fixtures/sizes.ts';

/** `stretches`: sizes of the parts in which the text came. */
function found(text: string, query: SearchQuery, stretches: readonly number[] = []): number[] {
  const bytes = Buffer.from(text);
  const request = { query, raw: false, start: null, end: null };
  const result = searchStretch(sourceOf(bytes), indexed(bytes, stretches), decoderFor('utf-8'), request);
  return LineSet.from(result.lines).slice(0, Number.MAX_SAFE_INTEGER);
}

function expected(text: string, query: SearchQuery): number[] {
  const { source, flags } = expressionOf(query);
  const expression = new RegExp(source, flags);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.flatMap((line, i) => (expression.test(lineText(line)) !== query.invert ? [i + 1] : []));
}

const LITERALS = [
  'needle',
  'NEEDLE',
  '0m',
  '31',
  '[0m',
  ';1m',
  'm',
  'K',
  '8;;',
  'é日',
  'e\t1',
  'mm',
  '[K0',
  'e\x07',
  '\x1b[0m',
];
const literal = fc.constantFrom(...LITERALS);
/** Long enough that most lines hold no part of the literal. */
const filler = fc.constantFrom('a line of other words ', '   ', 'x = y; ', 'ñandú ', 'C:\\', '[0]', '31 ');
const colour = fc.constantFrom(
  '\x1b[0m',
  '\x1b[m',
  '\x1b[31m',
  '\x1b[1;33m',
  '\x1b[38;2;255;100;0m',
  '\x1b[38:2:1:255:100:0;48;2;100;100;100m',
  '\x1b[K',
  '\x1b[0K',
  '\x1b[01m\x1b[K',
);
const rare = fc.constantFrom(
  '\r',
  '\b',
  '\x07',
  '\x00',
  '\x7f',
  '\x1b',
  '\x1b[2K',
  '\x1b[3D',
  '\x1b[00K',
  '\x1b]8;;needle\x07',
  '\x1b]0;31\x1b\\',
  '\x1b]8;;open',
  '\x1b(B',
  '\u0085',
  '\u009b31m',
  '\u00a0',
);
/** A literal, cut somewhere, with something in between. */
const pieces = (between: fc.Arbitrary<string>) =>
  fc
    .tuple(literal, fc.nat(8), fc.array(between, { maxLength: 3 }))
    .map(([text, at, between]) => text.slice(0, at) + between.join('') + text.slice(at));
const line = (...odd: { weight: number; arbitrary: fc.Arbitrary<string> }[]) =>
  fc
    .tuple(
      fc.array(fc.oneof({ weight: 6, arbitrary: filler }, { weight: 4, arbitrary: colour }, ...odd), {
        maxLength: 6,
      }),
      fc.constantFrom('\n', '\n', '\n', '\r\n'),
    )
    .map(([parts, end]) => parts.join('') + end);
/** With other controls, and with colours alone, where less is read. */
const text = fc
  .tuple(
    fc.oneof(
      fc.array(
        line(
          { weight: 1, arbitrary: rare },
          { weight: 1, arbitrary: pieces(fc.oneof(colour, { weight: 1, arbitrary: rare })) },
        ),
        { minLength: 1, maxLength: 60 },
      ),
      fc.array(line({ weight: 2, arbitrary: pieces(colour) }), { minLength: 1, maxLength: 60 }),
    ),
    fc.boolean(),
  )
  .map(([lines, ended]) => (ended ? lines.join('') : lines.join('').replace(/\r?\n$/, '')));

describe('coloured text', () => {
  it.each(['need\x1b[0m\x1b[1mle', 'n\x1b[K\x1b[m\x1b[Keedle', 'need\x1b[mle'])(
    'is found where nothing but colours splits it, in whatever parts the text came: %j',
    (text) => {
      const query = { pattern: 'needle', case_sensitive: false, fixed: true, invert: false };
      for (let first = 1; first < text.length; first += 1)
        expect(found(`${text}\n`, query, [first, 1000]), `${first} bytes first`).toEqual([1]);
    },
  );

  it('is searched for literals as its line text is', () => {
    fc.assert(
      fc.property(text, literal, fc.boolean(), fc.boolean(), (lines, pattern, caseSensitive, invert) => {
        const query = { pattern, fixed: true, case_sensitive: caseSensitive, invert };
        expect(found(lines, query)).toEqual(expected(lines, query));
      }),
      { numRuns: cases(4000) },
    );
  });

  it('is searched for several literals, and for expressions that contain one', () => {
    const pattern = fc.constantFrom(
      'needle|31m',
      'error|fail|0m',
      'need.*le',
      'needle$',
      '^needle',
      'ne+dle\\b',
      '\\d+needle',
      '(?:needle|\\[0\\]).*x',
      'needle\\s*$',
      '\\x1b\\[0m',
      'é日|mm',
    );
    fc.assert(
      fc.property(text, pattern, fc.boolean(), (lines, source, caseSensitive) => {
        const query = { pattern: source, fixed: false, case_sensitive: caseSensitive, invert: false };
        expect(found(lines, query)).toEqual(expected(lines, query));
      }),
      { numRuns: cases(4000) },
    );
  });

  it('is searched correctly across the borders of blocks', () => {
    // More than one block of lines, each with its escape sequence at another position.
    const lines = Array.from({ length: 60_000 }, (_, i) => {
      const at = i % 7;
      const cut = i % 500 === 0 ? `${'needle'.slice(0, at)}\x1b[31m${'needle'.slice(at)}` : 'nee dle';
      return `\x1b[36m${i}\x1b[0m ${cut} and what follows\x1b[0m\n`;
    });
    const query = { pattern: 'needle', fixed: false, case_sensitive: true, invert: false };
    const all = lines.join('');
    expect(found(all, query)).toEqual(Array.from({ length: 120 }, (_, i) => i * 500 + 1));
  });
});
