/** Gzip files that are damaged, lie about themselves, or are made to take long. `zcat` is the measure. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { LinesView } from '../../../shared/views.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const { deflateRawSync, gzipSync } = zlib;
let folder: string;
let path: string;
let host: Host;

beforeEach(async () => {
  folder = makeFolder();
  path = join(folder, 'file.gz');
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
});
afterEach(async () => {
  await host.close();
  removeFolder(folder);
});

const tail = async () => (await host.inspect({ file_path: path, mode: 'tail', lines: 1 })) as LinesView;

/** A member with the size that BGZF writers put in their headers, which need not be true. */
function sizedMember(text: string, claimed?: number): Buffer {
  const data = deflateRawSync(text);
  const head = Buffer.from([31, 139, 8, 4, 0, 0, 0, 0, 0, 255, 6, 0, 66, 67, 2, 0, 0, 0]);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(zlib.crc32(text));
  trailer.writeUInt32LE(Buffer.byteLength(text), 4);
  head.writeUInt16LE((claimed ?? head.length + data.length + trailer.length) - 1, 16);
  return Buffer.concat([head, data, trailer]);
}

describe('a gzip file', () => {
  it('of a hundred thousand members of a line each is read as quickly as it is unpacked', async () => {
    const member = gzipSync('line\n');
    writeFileSync(path, Buffer.concat([...Array<Buffer>(100_000).fill(member), gzipSync('last\n')]));
    const view = await tail();
    expect([view.total_lines, view.content]).toEqual([100_001, 'last']);
  });

  it('of members that are nearly all empty, too', async () => {
    const empty = gzipSync('');
    writeFileSync(path, Buffer.concat([gzipSync('first\n'), ...Array<Buffer>(100_000).fill(empty)]));
    expect((await tail()).total_lines).toBe(1);
  });

  it('with another checksum than its text has says that it is damaged', async () => {
    const whole = gzipSync('text that was stored\n'.repeat(100), { level: 0 });
    whole[500]! ^= 1;
    writeFileSync(path, whole);
    const view = await tail();
    expect(view.total_lines).toBe(100);
    expect(view.note).toMatch(/damaged/);
  });

  it('that is broken in the middle gives what comes before', async () => {
    const text = Array.from({ length: 60_000 }, (_, i) => `line ${i} ${(i * 7919) % 10_007}\n`).join('');
    const half = zlib.deflateRawSync(text, { level: 1 });
    const whole = gzipSync(text, { level: 1 });
    // From here on a block type that there is not.
    whole.fill(0xff, Math.floor(half.length / 2), Math.floor(half.length / 2) + 200);
    writeFileSync(path, whole);
    const zcat = spawnSync('zcat', [path], { maxBuffer: 1 << 26 }).stdout;
    const view = await tail();
    expect(view.note).toMatch(/damaged/);
    // The text of the last few bytes before the break may be missing.
    expect(view.total_bytes).toBeGreaterThan(zcat.length - 4096);
    expect(view.total_bytes).toBeLessThanOrEqual(zcat.length + 4096);
    expect(view.total_bytes).toBeGreaterThan(100_000);
  });

  it('whose members tell their sizes is read by them when they are true, and all the same when they are not', async () => {
    writeFileSync(path, Buffer.concat([sizedMember('one\n'), sizedMember('two\n'), sizedMember('')]));
    expect(await tail()).toMatchObject({ total_lines: 2, content: 'two' });
    for (const claimed of [1, 27, 30, 40, 60_000]) {
      writeFileSync(
        path,
        Buffer.concat([sizedMember('one\n'), sizedMember('two\n', claimed), sizedMember('three\n')]),
      );
      const view = await tail();
      expect([claimed, view.total_lines, view.content, view.note]).toEqual([claimed, 3, 'three', undefined]);
    }
  });
});

describe('a gzip file whose members tell their sizes, one of which is broken', () => {
  it('is read up to there, and says so', async () => {
    const members = Array.from({ length: 50 }, (_, i) => sizedMember(`member ${i} ${'text '.repeat(200)}\n`));
    const broken = members[40]!;
    broken.fill(0xff, 20, 26);
    writeFileSync(path, Buffer.concat(members));
    const view = await tail();
    expect(view.note).toMatch(/damaged/);
    const last = await host.inspect({ file_path: path, mode: 'range', start_line: 40, end_line: 40 });
    expect(last.content.trim()).toBe(`member 39 ${'text '.repeat(200)}`.trim());
    // With the lines that could be unpacked from the broken member, or without them.
    expect([40, 41]).toContain(view.total_lines);
  });
});

describe('a file that needs no unpacking', () => {
  it('is read where there is no place to unpack to', async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = join(folder, 'no-such-folder');
    try {
      writeFileSync(path, 'plain\n');
      expect((await tail()).content).toBe('plain');
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});
