/** Searches that are stopped, joined and overtaken by a growing file still count every line once. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Indexer } from '../../../electron/host/documents/indexer.ts';
import { FileGeneration } from '../../../electron/host/documents/origins/file-origin.ts';
import { Searches } from '../../../electron/host/search/search-job.ts';
import type { FileStats } from '../../../electron/reader/disks/stats.ts';
import { createPool, type Pool } from '../../../electron/workers/pool.ts';
import { diskHere, poolHere, unpackIn } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const query = { pattern: 'needle', fixed: false, case_sensitive: false, invert: false };

let folder: string;
let path: string;
let pool: Pool;
let generation: FileGeneration;
let indexer: Indexer;
let searches: Searches;

/** Makes lines, every thousandth of which matches: few enough for a search to keep them as a list. */
const lines = (from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, i) => `line ${from + i}${(from + i) % 1000 ? '' : ' needle'}\n`,
  ).join('');

async function open(text: string): Promise<void> {
  writeFileSync(path, text);
  generation = await FileGeneration.open(path, {
    unpack: unpackIn(folder),
    pool: poolHere,
  });
  indexer = new Indexer(generation, pool, { progress: () => {}, restart: () => {} });
  await indexer.until(() => false);
}

beforeEach(() => {
  folder = makeFolder();
  path = join(folder, 'file.log');
  pool = createPool(0);
  searches = new Searches(pool);
});
afterEach(async () => {
  generation.close();
  await pool.close();
  removeFolder(folder);
});

describe('a search', () => {
  it('that was stopped half way counts no line twice when it is begun again', async () => {
    await open(lines(1, 1_000_000));
    const job = searches.job(generation, query, false);
    const stop = new AbortController();
    job.onProgress(() => stop.abort());
    await expect(searches.complete(job, stop.signal)).rejects.toThrow(/cancelled/);
    expect(job.lines.size).toBeGreaterThan(0);
    expect(job.complete).toBe(false);
    await searches.complete(job);
    expect(job.lines.size).toBe(1000);
    expect(job.lines.kth(999)).toBe(1_000_000);
  });

  it('is complete only when its last stretch was searched, however short that is', async () => {
    // The first stretch ends in the last block.
    const text = lines(1, 1_000_000).slice(0, 4 * 65_536 + 7000);
    await open(`${text.slice(0, text.lastIndexOf('\n'))}\nneedle\n`);
    const job = searches.job(generation, query, false);
    const seen: [boolean, number][] = [];
    job.onProgress(() => seen.push([job.complete, job.lines.size]));
    await searches.complete(job);
    expect(job.lines.kth(job.lines.size - 1)).toBe(generation.lines);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.slice(0, -1).filter(([complete]) => complete)).toEqual([]);
  });

  it('is not cancelled for who asks while it is being stopped', async () => {
    await open(lines(1, 1_000_000));
    const job = searches.job(generation, query, false);
    const stop = new AbortController();
    const first = searches.complete(job, stop.signal).catch((error: Error) => error.message);
    await turn();
    stop.abort();
    await searches.complete(job);
    expect(job.lines.size).toBe(1000);
    expect(await first).toMatch(/cancelled/);
  });

  it('searches what has been counted, though the file has grown since, and goes on from there', async () => {
    await open(lines(1, 500_000));
    const job = searches.job(generation, query, false);
    appendFileSync(path, lines(500_001, 600_000));
    await generation.grow((await diskHere.stat(path)) as FileStats);
    await searches.complete(job);
    expect(job.lines.size).toBe(500);
    await indexer.until(() => false);
    await searches.complete(job);
    expect(job.lines.size).toBe(600);
    expect(job.lines.kth(599)).toBe(600_000);
  });
});
