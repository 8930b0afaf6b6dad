/** Which searches of the command line start threads. */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLargeFile, searchNeedsThreads } from '../../../electron/cli/with-host.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const folder = makeFolder();
const small = join(folder, 'small.log');
const large = join(folder, 'large.log');
beforeAll(() => {
  writeFileSync(small, 'a line\n');
  writeFileSync(large, '');
  truncateSync(large, 65e6);
});
afterAll(() => removeFolder(folder));

describe('a search on the command line starts threads', () => {
  test.each(['(a+)+$', 'a.*b', 'x?', 'a{3}', '(?=a)b', '(a)\\1', '\\k<a>'])(
    'for an expression that may take very long on one line: %s',
    (pattern) => expect(searchNeedsThreads(small, pattern)).toBe(true),
  );

  test('for a large file, and for an id, whose size is not known yet', () => {
    expect(searchNeedsThreads(large, 'error')).toBe(true);
    expect(searchNeedsThreads('cmd-ls-2026-01-13T10-30-00-abc123', 'error')).toBe(true);
  });

  test.each(['error', 'error|warn', '^ok$', '\\bx.y\\.z', '[a-c]'])(
    'but not for a small file and an expression that always ends soon: %s',
    (pattern) => expect(searchNeedsThreads(small, pattern)).toBe(false),
  );

  test('but not for a small file and plain text, whatever characters it has', () => {
    expect(searchNeedsThreads(small, '(a+)+$', true)).toBe(false);
  });
});

test('a summary starts threads for a large file alone', () => {
  expect([large, small, 'no-such-file'].map(isLargeFile)).toEqual([true, false, false]);
});
