import { expect, test } from 'vitest';
import { pathBytes, pathText } from '../../../electron/reader/bytes/path-text.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const back = (text: string) => Buffer.from(pathBytes(text) as Buffer);

test.each([
  ['plain.log', 'plain.log'],
  ['caf\xe9.log', 'caf\\xe9.log'],
  ['caf\xc3\xa9.log', 'café.log'],
  ['a\\b\\x20.log', 'a\\b\\x20.log'],
  ['a\\xe9.log', 'a\\x5cxe9.log'],
  ['\\\xe9', '\\\\xe9'],
  ['\xf0\x9f\x9a', '\\xf0\\x9f\\x9a'],
])('the name %j is spelled %s', (bytes, text) => {
  expect(pathText(latin1(bytes))).toBe(text);
});

test('each file name has a spelling of its own, which leads back to it', () => {
  const pieces = [
    '\\',
    'x',
    '5',
    'c',
    'e',
    '9',
    '/',
    '\xe9',
    '\xc3\xa9',
    '\xff',
    '\xed\xa0\x80',
    '\xef\xbf\xbd',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
      const bytes = latin1(parts.join(''));
      expect(back(pathText(bytes))).toEqual(bytes);
    }),
    { numRuns: cases(2000) },
  );
});
