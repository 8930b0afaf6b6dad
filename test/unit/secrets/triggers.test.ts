/** Keywords of secrets are found wherever they stand; a plain search for each of them finds the same. */
import { describe, expect, test } from 'vitest';
import { charSet, charsOf, type Trigger, Triggers } from '../../../shared/secrets/triggers.ts';
import fc from '../../fixtures/fast-check.ts';

const TRIGGERS: Trigger[] = [
  { text: 'M', exact: true, starts: true },
  { text: 'ey', exact: true, starts: true },
  { text: 'pat', exact: true, starts: true },
  { text: '-us', exact: true },
  { text: '0:A', exact: true },
  { text: 'a3-' },
  { text: 'token' },
  { text: '://' },
  { text: 'secret_key' },
  { text: 'GR1348941', exact: true, starts: true },
];

function found(text: string, all: readonly Trigger[]): string[] {
  const triggers = new Triggers<string>();
  for (const one of all) triggers.add(one.text, one);
  const hits: string[] = [];
  triggers.find(charsOf(text), (name, at, end) => hits.push(`${name} ${at} ${end}`));
  return hits.sort();
}

function searched(text: string, all: readonly Trigger[]): string[] {
  const hits: string[] = [];
  for (const { text: keyword, exact = false, starts = false } of all)
    for (let at = 0; at < text.length; at += 1) {
      const here = text.slice(at, at + keyword.length);
      // Only letters of ASCII have two cases.
      const isHere = (exact ? here : here.replace(/[A-Z]/g, (one) => one.toLowerCase())) === keyword;
      if (isHere && !(starts && /\w/.test(text[at - 1] ?? '')))
        hits.push(`${keyword} ${at} ${at + keyword.length}`);
    }
  return hits.sort();
}

const piece = fc.oneof(
  fc.constantFrom(
    ...TRIGGERS.flatMap(({ text }) => [text, text.toUpperCase(), text.slice(1), text.slice(0, -1)]),
  ),
  fc.constantFrom('é', '\u212a', '\u017f', '\u{1f600}', '\ud800', ' ', '\n', '.', '_', '9', 'x'),
  fc.string({ maxLength: 5 }),
);

test('every keyword is found, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      expect(found(text, TRIGGERS)).toEqual(searched(text, TRIGGERS));
    }),
    { numRuns: 2000 },
  );
});

describe('a check decides from what is around the keyword', () => {
  const GIVES = charSet(/[=:]/);
  const given: Trigger = { text: 'token', check: (chars, _, end) => GIVES[chars[end]!] === 1 };

  test.each([
    ['token=1', 1],
    ['token', 0],
    ['tokens=1, TOKEN:2', 1],
    ['é token=1', 1],
  ])('%s', (text, count) => {
    expect(found(text, [given])).toHaveLength(count);
  });

  test('nothing is behind the end of a text, also where a longer one was before', () => {
    expect(found('token=======', [given])).toHaveLength(1);
    expect(found('token', [given])).toEqual([]);
  });
});
