/** In which words two lines differ. */
import { expect, it } from 'vitest';
import { wordDifference } from '../../../shared/text/word-difference.ts';

const shown = (old: string, now: string) =>
  wordDifference(old, now)
    ?.map(({ of, text }) => (of === 'old' ? `[-${text}-]` : of === 'new' ? `{+${text}+}` : text))
    .join('') ?? null;

it('marks the words that differ', () => {
  expect(shown('started 8 workers', 'started 1 workers')).toBe('started [-8-]{+1+} workers');
  expect(shown('mode: fast', 'mode: slow and bad')).toBe('mode: [-fast-]{+slow and bad+}');
  expect(shown('loaded from server', 'loaded from the server')).toBe('loaded from {+the +}server');
  expect(shown('one two three', 'one three')).toBe('one [-two -]three');
  expect(shown('using node 22.11.0', 'using node 18.2.0')).toBe('using node [-22.11.0-]{+18.2.0+}');
  expect(shown('✓ is read by a shell as the words', '✓ is read as 24 hours')).toBe(
    '✓ is read [-by a shell -]as [-the words-]{+24 hours+}',
  );
  expect(shown('✓  unit  a.test', '❯  unit  b.test')).toBe('[-✓-]{+❯+}  unit  [-a-]{+b+}.test');
  expect(shown('ein Löwe', 'ein Löwenzahn')).toBe('ein [-Löwe-]{+Löwenzahn+}');
});

it('repeats both lines', () => {
  const old = 'a b c d e f g a b';
  const now = 'a x c e f f g b';
  const parts = wordDifference(old, now)!;
  const without = (one: 'old' | 'new') =>
    parts
      .filter(({ of }) => of !== one)
      .map(({ text }) => text)
      .join('');
  expect(without('new')).toBe(old);
  expect(without('old')).toBe(now);
});

it('marks nothing in lines that have hardly a word in common, nor in equal ones', () => {
  expect(shown('the store is open', 'x y z')).toBeNull();
  expect(wordDifference('the same', 'the same')).toEqual([{ of: 'both', text: 'the same' }]);
});

it('takes lines of any length', () => {
  const long = (word: string) => `begin ${`${word} `.repeat(100_000)}end`;
  expect(shown(long('a'), long('b'))).toBeNull();
});
