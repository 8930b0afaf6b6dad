/** A compressed file that unpacks to far more than the disk should hold. */
import { fstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { StreamHandle } from '../../../electron/reader/bytes/open-stream.ts';
import { openStream } from '../../../electron/reader/bytes/streams.ts';
import type { UnpackOptions } from '../../../electron/reader/gzip/compression.ts';
import { Unpacking } from '../../../electron/reader/gzip/unpack.ts';
import type { DiskFile } from '../../../electron/workers/disk.ts';
import { diskHere, unpackIn } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const MIB = 1024 * 1024;
const folder = makeFolder();
/** A gzip file of one member, which is too large to be read in place. */
const TEXT = Buffer.from(
  Array.from({ length: 400_000 }, (_, i) => `line ${i} of a log that says little\n`).join(''),
);
const path = join(folder, 'bomb.gz');
writeFileSync(path, gzipSync(TEXT, { level: 1 }));
const opened: { unpacking: Unpacking; file: DiskFile }[] = [];

afterEach(async () => {
  for (const { unpacking, file } of opened.splice(0)) {
    await unpacking.close();
    file.close();
  }
});
afterAll(() => removeFolder(folder));

type Wanted = Pick<UnpackOptions, 'plainBytes' | 'mostBytes'> & { limit?: number };

async function unpacked({ limit, ...options }: Wanted): Promise<Unpacking> {
  const file = await diskHere.open(path);
  const unpacking = new Unpacking(file, 'gzip', { ...unpackIn(folder, limit), ...options });
  opened.push({ unpacking, file });
  await unpacking.all();
  return unpacking;
}

function textOf(handle: StreamHandle, from: number, bytes: number): Buffer {
  const into = Buffer.alloc(bytes);
  return into.subarray(0, openStream(handle).read(into, from));
}

function storedBytes({ handle }: Unpacking): number {
  const { fd } = handle.type === 'pieces' ? (handle.parts[0] as { fd: number }) : (handle as { fd: number });
  return fstatSync(fd).size;
}

test('its text is complete, and compressed after the beginning', async () => {
  const unpacking = await unpacked({ plainBytes: 3 * MIB });
  expect(unpacking.problem).toBeNull();
  expect(unpacking.handle.size).toBe(TEXT.length);
  expect(textOf(unpacking.handle, 0, TEXT.length).equals(TEXT)).toBe(true);
  for (const at of [0, 3 * MIB - 10, 3 * MIB, 4 * MIB - 1, TEXT.length - 50])
    expect(textOf(unpacking.handle, at, 100).toString()).toBe(TEXT.toString('utf8', at, at + 100));
  expect(storedBytes(unpacking)).toBeLessThan(3 * MIB + (TEXT.length - 3 * MIB) / 3);
});

test('a smaller text is stored uncompressed', async () => {
  const { handle } = await unpacked({});
  expect(handle).toMatchObject({ type: 'file', size: TEXT.length });
});

test('where the disk has no room for any of it, it is not shown as empty', async () => {
  await expect(unpacked({ limit: 0 })).rejects.toMatchObject({
    code: 'busy',
    what: `there is no room in ${folder} to unpack the gzip file`,
  });
});

test.each<[string, Wanted]>([
  ['the disk has no room', { plainBytes: 3 * MIB, limit: 3.5 * MIB }],
  ['the disk has no room for its beginning', { plainBytes: 3 * MIB, limit: MIB }],
  ['it has more text than is unpacked of any', { plainBytes: 3 * MIB, mostBytes: 6 * MIB }],
])('where %s, the available part can be read, and its size is reported', async (_, options) => {
  const unpacking = await unpacked(options);
  const { size } = unpacking.handle;
  expect(unpacking.problem).toMatch(`only the first ${size} bytes were unpacked`);
  expect(size).toBeGreaterThanOrEqual(MIB);
  expect(size).toBeLessThanOrEqual(options.mostBytes ?? TEXT.length - 1);
  expect(textOf(unpacking.handle, 0, size).equals(TEXT.subarray(0, size))).toBe(true);
  expect(storedBytes(unpacking)).toBeLessThanOrEqual(options.limit ?? 6 * MIB);
});
