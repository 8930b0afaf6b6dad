/** An expression that stalls on some text: the rest is searched, matches are shown, and a retry works. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import { Indexer } from '../../../electron/host/documents/indexer.ts';
import { FileGeneration } from '../../../electron/host/documents/origins/file-origin.ts';
import { Searches } from '../../../electron/host/search/search-job.ts';
import { grepPage } from '../../../electron/host/views/grep.ts';
import { createPool, type Pool } from '../../../electron/workers/pool.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { GrepView } from '../../../shared/views.ts';
import { poolHere, unpackIn } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const LINES = 600_000;
const query = { pattern: 'needle', fixed: false, case_sensitive: false, invert: false };

let folder: string;
let path: string;
let generation: FileGeneration;

beforeEach(async () => {
  folder = makeFolder();
  path = join(folder, 'file.log');
});
afterEach(() => removeFolder(folder));

/** A pool whose tasks of some kind get nowhere now and then, as a thread's may. */
function poolThatStalls(stalls: (name: string, args: unknown) => boolean): Pool {
  const pool = createPool(0);
  return {
    ...pool,
    run: (name, args, options) =>
      !options?.signal?.aborted && stalls(name, args)
        ? Promise.reject(new SpillwayError('stalled', 'it got no further', 'simplify it'))
        : pool.run(name, args, options),
  };
}

async function open(pool: Pool, text: string): Promise<void> {
  writeFileSync(path, text);
  generation = await FileGeneration.open(path, {
    unpack: unpackIn(folder),
    pool: poolHere,
  });
  await new Indexer(generation, pool, { progress: () => {}, restart: () => {} }).until(() => false);
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}${(i + 1) % 1000 ? '' : ' needle'}\n`).join('');

describe('a search that got nowhere on a stretch', () => {
  it('searches the rest, says so, and is tried once more when it is asked for anew', async () => {
    let stretches = 0;
    const pool = poolThatStalls((name) => {
      if (name !== 'search') return false;
      stretches += 1;
      return stretches === 2;
    });
    await open(pool, numbered(LINES));
    const searches = new Searches(pool);
    const job = searches.job(generation, query, false, true);
    await searches.complete(job);
    const missing = LINES / 1000 - job.lines.size;
    expect([job.timedOut, job.complete, missing > 0, missing < LINES / 2000]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(job.lines.kth(job.lines.size - 1)).toBe(LINES);
    expect(searches.job(generation, query, false)).toBe(job);
    const again = searches.job(generation, query, false, true);
    await searches.complete(again);
    expect([again.timedOut, again.lines.size]).toEqual([false, LINES / 1000]);
    expect(searches.job(generation, query, false, true)).toBe(again);
    generation.close();
  });

  it('ends when it gets nowhere twice in a row', async () => {
    let stretches = 0;
    const pool = poolThatStalls((name) => {
      if (name === 'search') stretches += 1;
      return name === 'search' && stretches > 1;
    });
    await open(pool, numbered(LINES));
    const searches = new Searches(pool);
    const job = searches.job(generation, query, false);
    await searches.complete(job);
    expect([job.timedOut, job.complete, job.lines.size > 0]).toEqual([true, true, true]);
    expect(stretches).toBe(3);
    generation.close();
  });
});

it('a page of matches on which the expression gets nowhere is shown without where it matches', async () => {
  const pool = poolThatStalls(
    (name, args) => name === 'grepLines' && !(args as { request: { unmarked: boolean } }).request.unmarked,
  );
  await open(pool, numbered(2000));
  const request = { query, raw: false, lines: [1000, 2000], context: 1, maxLineChars: 100, maxChars: 1000 };
  const page = await grepPage(pool, generation, request, undefined);
  expect(page.stalled).toBe(true);
  expect(page.content).toBe(
    '999-line 999\n1000:line 1000 needle\n1001-line 1001\n--\n1999-line 1999\n2000:line 2000 needle',
  );
  expect(page.matches.map(({ column, match }) => [column, match])).toEqual([
    [1, 'line 1000 needle'],
    [1, 'line 2000 needle'],
  ]);
  generation.close();
});

it('one line on which the expression gets nowhere costs its stretch alone', async () => {
  const host = await createHost({ home: join(folder, 'home'), watch: false, threads: 2 });
  try {
    // Some stretches into the file, with as many behind it.
    const nasty = `${'a'.repeat(40)}!\n`;
    writeFileSync(path, [numbered(LINES), nasty, numbered(LINES * 2)].join(''));
    const pattern = '(a+)+(b|\\1)c|needle';
    const view = (await host.inspect({ file_path: path, mode: 'grep', pattern })) as GrepView;
    expect(view.total_lines).toBe(LINES * 3 + 1);
    if (view.timed_out) {
      expect(view.note).toMatch(/stopped making progress/);
      expect(view.match_count).toBeGreaterThan((LINES * 3) / 2000);
    } else expect(view.match_count).toBe((LINES * 3) / 1000);
    const fine = (await host.inspect({ file_path: path, mode: 'grep', pattern: 'needle' })) as GrepView;
    expect([fine.match_count, fine.timed_out]).toEqual([(LINES * 3) / 1000, false]);
  } finally {
    await host.close();
  }
});
