/** Tests when following a stream leaves time for other work. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WatchedStream } from '../../../electron/recorder/failure/watched-stream.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const MIB = 1024 * 1024;

test('has time for other work when it is caught up or must skip the middle, not while it can catch up', () => {
  const folder = makeFolder();
  const path = join(folder, 'stream.txt');
  writeFileSync(path, 'a line of output\n'.repeat(20_000));
  const stream = new WatchedStream('stdout', () => path);
  const scanned = stream.step();
  expect(stream.scanned.length).toBe(scanned);
  expect(stream.hasTime(scanned)).toBe(true);
  expect(stream.hasTime(scanned + 10 * MIB)).toBe(false);
  expect(stream.hasTime(scanned + 100 * MIB)).toBe(true);
  stream.close();
  removeFolder(folder);
});
