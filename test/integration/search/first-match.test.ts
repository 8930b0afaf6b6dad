/** A first match is not kept waiting: by other searches, another look at the file, or a second task for its rows. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Document } from '../../../electron/host/documents/document.ts';
import { Indexer } from '../../../electron/host/documents/indexer.ts';
import { FileGeneration, FileOrigin } from '../../../electron/host/documents/origins/file-origin.ts';
import { Searches } from '../../../electron/host/search/search-job.ts';
import { matchedRows } from '../../../electron/host/search/window-search.ts';
import { createPool, type Pool, type TaskOptions } from '../../../electron/workers/pool.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { poolHere, unpackIn } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { until } from '../../fixtures/until.ts';

const query = { pattern: 'needle', fixed: false, case_sensitive: false, invert: false };
const inline = createPool(0);

let folder: string;
let path: string;
const closes: (() => void)[] = [];

beforeEach(() => {
  folder = makeFolder();
  path = join(folder, 'file.log');
});
afterEach(() => {
  for (const close of closes.splice(0)) close();
  removeFolder(folder);
});

async function open(lines: number): Promise<FileGeneration> {
  const line = (i: number) => `line ${i + 1}${(i + 1) % 1000 ? '' : ' needle'}\n`;
  writeFileSync(path, Array.from({ length: lines }, (_, i) => line(i)).join(''));
  const generation = await FileGeneration.open(path, { unpack: unpackIn(folder), pool: poolHere });
  closes.push(() => generation.close());
  await new Indexer(generation, inline, { progress: () => {}, restart: () => {} }).until(() => false);
  return generation;
}

/** A pool that asks before each task, which may answer in its place. */
function poolWith(answer: (name: string, options: TaskOptions) => Promise<never> | null): Pool {
  return {
    ...inline,
    run: (name, args, options = {}) => answer(name, options) ?? inline.run(name, args, options),
  };
}

it('is found while other work has all the threads for it', async () => {
  const busy = poolWith((_, { priority }) => (priority === 'bulk' ? new Promise(() => {}) : null));
  const searches = new Searches(busy);
  const job = searches.job(await open(100_000), query, false);
  void searches.complete(job);
  await until(() => job.lines.size > 0);
  expect(job.lines.kth(0)).toBe(1000);
  expect(job.complete).toBe(false);
});

it('has its row and what matches in it from one task; without the matches where the expression stalls', async () => {
  const searches = new Searches(inline);
  const job = searches.job(await open(3000), query, false);
  await searches.complete(job);
  const asked: string[] = [];
  let stalls = false;
  const pool = poolWith((name) => {
    asked.push(name);
    const error = new SpillwayError('stalled', 'it got no further', 'simplify it');
    return stalls && name === 'matchedRows' ? Promise.reject(error) : null;
  });
  const found = async () => {
    const { lines } = await matchedRows(job, query, { first: 0, count: 2, context: 1 }, pool);
    return lines.map(({ line_number, row }) => [line_number, row.matches]);
  };
  expect(await found()).toEqual([
    [999, undefined],
    [1000, [10, 16]],
  ]);
  expect(asked).toEqual(['matchedRows']);
  stalls = true;
  expect(await found()).toEqual([
    [999, undefined],
    [1000, undefined],
  ]);
});

it('of a file that a window watches is searched without another look at the file', async () => {
  writeFileSync(path, 'needle\n');
  const origin = new FileOrigin(path, {
    unpack: unpackIn(folder),
    pool: poolHere,
    describe: () => ({}) as Artifact,
  });
  const document = new Document(path, { origin, asText: false, pool: inline });
  closes.push(() => document.close());
  const watch = () => {
    const states: DocumentState[] = [];
    closes.push(
      document.watch(
        (state) => states.push(state),
        () => {},
      ),
    );
    return states;
  };
  const first = watch();
  await until(() => first.length > 0);
  vi.spyOn(origin, 'check').mockReturnValue(new Promise(() => {}));
  const second = watch();
  expect(second).toEqual([]);
  await turn();
  expect(second[0]?.total_bytes).toBe(7);
});
