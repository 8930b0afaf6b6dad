import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FileGeneration } from '../../../electron/host/documents/origins/file-origin.ts';
import { createPool } from '../../../electron/workers/pool.ts';
import { unpackIn } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let folder: string;

beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

it('opens a file that is truncated between the look at its size and that at its bytes', async () => {
  const path = join(folder, 'cut.log');
  writeFileSync(path, 'x'.repeat(100_000));
  const pool = createPool(0);
  const run = pool.run.bind(pool);
  vi.spyOn(pool, 'run').mockImplementation(async (name, args, options) => {
    const result = await run(name, args, options);
    if (name === 'open') truncateSync(path, 3);
    return result;
  });
  const generation = await FileGeneration.open(path, { unpack: unpackIn(folder), pool });
  expect(generation.size).toBe(3);
  generation.close();
});
