/** The odd one among lines that say the same of several things. */
import { expect, test } from 'vitest';
import { oddOne } from '../../../../electron/reader/failure/peers.ts';

test.each([
  ['another address', ['api on 0.0.0.0:9001', 'stock on 127.0.0.1:9003', 'mail on 0.0.0.0:9004'], 1],
  [
    'a name where others agree',
    ['a: zone Asia/Shanghai', 'b: zone Asia/Shanghai', 'c: zone America/Lima'],
    2,
  ],
  ['nothing where others have something', ['a: 11 rules', 'b: 0 rules', 'c: 14 rules', 'd: 9 rules'], 1],
])('is one with %s', (_, texts, index) => {
  expect(oddOne(texts)?.index).toBe(index);
});

test.each([
  ['all differ', ['a: 11 rules', 'b: 12 rules', 'c: 14 rules']],
  ['only their times differ', ['08:59:59 ready', '08:59:59 ready', '09:00:01 ready']],
  ['two are odd', ['a zone X, 3', 'a zone X, 3', 'b zone X, 3', 'a zone Y, 3']],
  ['they are not alike', ['a b c', 'a b', 'a b c d']],
])('is none where %s', (_, texts) => {
  expect(oddOne(texts)).toBeNull();
});
