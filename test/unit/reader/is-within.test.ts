import { expect, test } from 'vitest';
import { isWithin } from '../../../electron/reader/bytes/path-text.ts';

test.each([
  ['/a/b', '/a/b'],
  ['/a/b/c', '/a/b'],
  ['/a/b/c/d.log', '/a/b'],
  ['/a/b/c', '/a/b/'],
  ['/a', '/'],
  ['/a/b', '/'],
  ['/', '/'],
])('%s is within %s', (path, folder) => {
  expect(isWithin(path, folder)).toBe(true);
});

test.each([
  ['/a/bc', '/a/b'],
  ['/a/b.log', '/a/b'],
  ['/a', '/a/b'],
  ['/', '/a'],
  ['/c/a/b', '/a/b'],
])('%s is not within %s', (path, folder) => {
  expect(isWithin(path, folder)).toBe(false);
});
