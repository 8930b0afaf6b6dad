/** A view that needs no line numbers does not read a large stream to its end. */
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const GIB = 1024 ** 3;

let folder: string;
let path: string;
let host: LocalHost;
/** The bytes that were counted. */
let counted: number;

beforeEach(async () => {
  folder = makeFolder();
  path = join(folder, 'large.log');
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
  counted = 0;
  const { pool } = host;
  const run = pool.run.bind(pool);
  vi.spyOn(pool, 'run').mockImplementation((name, args, options) => {
    if (name === 'count')
      counted += (args as { end: number; start: number }).end - (args as { start: number }).start;
    return run(name, args, options);
  });
});
afterEach(async () => {
  await host.close();
  removeFolder(folder);
});

describe('of a stream of 43 GB', () => {
  beforeEach(() => {
    // A hole takes no room, and would take seconds to count.
    writeFileSync(path, 'first\nsecond\n');
    truncateSync(path, 43 * GIB);
    appendFileSync(path, '\nlast\nline\n');
  });

  test('the window at the end is read alone, without line numbers', async () => {
    const offset = 43 * GIB + 1;
    const window = await host.read({ file_path: path, offset, as_text: true });
    expect(window).toMatchObject({
      ...{ content: 'last\nline\n', lines_shown: 2, next_offset: null, total_bytes: offset + 10 },
      ...{ start_line: null, end_line: null, next_start_line: null, total_lines: null },
    });
    expect(counted).toBe(0);
  });

  test('the window at the beginning has the line numbers that little counting tells', async () => {
    const window = await host.read({ file_path: path, offset: 6, limit: 7, as_text: true });
    expect(window).toMatchObject({ content: 'second\n', start_line: 2, end_line: 2, total_lines: null });
    expect(counted).toBeLessThan(GIB);
  });

  test.each(['head', 'tail', 'summary', 'failure'] as const)(
    '%s of binary data reads its beginning',
    async (mode) => {
      const view = await host.inspect({ file_path: path, mode });
      expect(view).toMatchObject({ content_type: 'binary', content: '', total_lines: null });
      expect(counted).toBe(0);
    },
  );
});

test('a window of a smaller stream has all line numbers', async () => {
  writeFileSync(path, 'first\nsecond\nthird');
  expect(await host.read({ file_path: path, offset: 6, limit: 7 })).toMatchObject({
    ...{
      content: 'second\n',
      start_line: 2,
      end_line: 2,
      lines_shown: 1,
      next_start_line: 3,
      total_lines: 3,
    },
  });
});
