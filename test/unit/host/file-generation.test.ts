import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileGeneration } from '../../../electron/host/documents/origins/file-generation.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let folder: string;

beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

it('opens a file that is truncated between the look at its size and that at its bytes', async () => {
  const path = join(folder, 'cut.log');
  const unpack = { directory: () => folder, limit: () => 0 };
  for (let turn = 0; turn < 20; turn += 1) {
    writeFileSync(path, 'x'.repeat(100_000));
    const opening = FileGeneration.open(path, { unpack });
    // `stat` runs on another thread, and its callback waits for this one.
    for (const start = performance.now(); performance.now() - start < 2; );
    truncateSync(path, 3);
    const generation = await opening;
    expect(generation.size).toBe(3);
    generation.close();
  }
});
