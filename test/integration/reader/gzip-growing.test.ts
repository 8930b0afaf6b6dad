/** A compressed file is readable while it is unpacked, and no further than somebody asks. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { openStream } from '../../../electron/reader/bytes/streams.ts';
import { Unpacking } from '../../../electron/reader/gzip/unpack.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { LinesView } from '../../../shared/views.ts';
import { diskHere, unpackIn } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const MIB = 1024 * 1024;
/** 16 bytes a line. */
const LINES = 8 * MIB;
const text = (lines: number) => Buffer.alloc(lines * 16, 'fifteen letters\n');

let folder: string;
let path: string;

beforeEach(() => {
  folder = makeFolder();
  path = join(folder, 'file.gz');
});
afterEach(() => removeFolder(folder));

describe('unpacking a file of one member', () => {
  const unpackedBy = async (work: (unpacking: Unpacking) => Promise<void>) => {
    const file = await diskHere.open(path);
    const unpacking = new Unpacking(file, 'gzip', unpackIn(folder, 100 * MIB));
    await work(unpacking).finally(async () => {
      await unpacking.close();
      file.close();
    });
  };

  it('gives the first bytes before the rest, and stops when nobody asks on', async () => {
    writeFileSync(path, gzipSync(text(LINES), { level: 1 }));
    await unpackedBy(async (unpacking) => {
      await unpacking.more();
      expect(unpacking.isDone).toBe(false);
      const into = Buffer.alloc(16);
      openStream(unpacking.handle).read(into, 0);
      expect(into.toString()).toBe('fifteen letters\n');
      expect(unpacking.handle.size).toBeLessThan(64 * MIB);
    });
  });

  it('ends at its bound, and says so', async () => {
    writeFileSync(path, gzipSync(text(LINES), { level: 1 }));
    await unpackedBy(async (unpacking) => {
      await unpacking.all();
      expect(unpacking.handle.size).toBe(100 * MIB);
      expect(unpacking.problem).toMatch(/^only the first 104857600 bytes were unpacked/);
    });
  });

  it('whose text follows small members gives the same text', async () => {
    const small = gzipSync(text(MIB / 4), { level: 1 });
    const five = Array<Buffer>(5).fill(small);
    writeFileSync(path, Buffer.concat([...five, gzipSync(text(MIB), { level: 1 })]));
    await unpackedBy(async (unpacking) => {
      await unpacking.more();
      expect(unpacking.handle).toMatchObject({ type: 'members', size: 16 * MIB });
      await unpacking.all();
      expect(unpacking.handle).toMatchObject({ type: 'file', size: 36 * MIB });
      expect(unpacking.problem).toBeNull();
    });
  });
});

describe('a large compressed file', () => {
  let host: Host;
  const inspect = async (params: object) => (await host.inspect({ file_path: path, ...params })) as LinesView;

  beforeEach(async () => {
    mkdirSync(join(folder, 'home', 'run'), { recursive: true });
    host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
    writeFileSync(path, gzipSync(text(LINES), { level: 1 }));
  });
  afterEach(() => host.close());

  it('shows its head before it is unpacked, and says that the totals are of a part', async () => {
    const view = await inspect({ mode: 'head', lines: 3 });
    expect(view.content).toBe('fifteen letters\n'.repeat(3).trimEnd());
    expect(view.total_bytes).toBeLessThan(16 * LINES);
    expect(view).toMatchObject({
      truncated: true,
      next_start_line: 4,
      note: expect.stringMatching(/so far/),
    });
  });

  it('shows a range and a byte window as soon as they are unpacked', async () => {
    const range = await inspect({ mode: 'range', start_line: 4, end_line: 5 });
    expect(range.content).toBe('fifteen letters\nfifteen letters');
    const window = await host.read({ file_path: path, offset: 16, limit: 32 });
    expect(window.content).toBe('fifteen letters\n'.repeat(2));
    for (const view of [range, window]) {
      expect(view.total_bytes).toBeLessThan(16 * LINES);
      expect(view).toMatchObject({ truncated: true, note: expect.stringMatching(/so far/) });
    }
    expect(range.next_start_line).toBe(6);
    expect(window.next_offset).toBe(48);
  });

  it('unpacks as far as a range begins, and all of it for a range past the end', async () => {
    const far = await inspect({ mode: 'range', start_line: 6 * MIB, lines: 2 });
    expect(far).toMatchObject({ start_line: 6 * MIB, lines_shown: 2 });
    expect(far.total_bytes).toBeLessThan(16 * LINES);
    const past = await inspect({ mode: 'range', start_line: LINES + 5, lines: 2 });
    expect(past).toMatchObject({ lines_shown: 0, total_lines: LINES });
  });

  it('is told as being unpacked until its totals are those of the whole text', async () => {
    const [artifact] = await host.openPath({ path });
    const states: DocumentState[] = [];
    const unwatch = host.watchDocument(
      { artifact_id: artifact!.artifact_id },
      (state) => states.push(state),
      () => {},
    );
    await expect.poll(() => states.at(-1)?.total_lines, { timeout: 60_000 }).toBe(LINES);
    await expect.poll(() => states.at(-1)?.is_unpacking).toBe(false);
    unwatch();
    const shorter = states.filter(({ total_lines }) => total_lines > 0 && total_lines < LINES);
    expect(shorter.length).toBeGreaterThan(0);
    expect(shorter.filter(({ is_unpacking }) => !is_unpacking)).toEqual([]);
  });

  it('shows its true end and totals where they are asked for', async () => {
    await inspect({ mode: 'head', lines: 3 });
    const tail = await inspect({ mode: 'tail', lines: 1 });
    expect(tail).toMatchObject({ total_lines: LINES, total_bytes: 16 * LINES, end_line: LINES });
    expect(tail.note).toBeUndefined();
    expect(await inspect({ mode: 'head', lines: 1 })).toMatchObject({ total_lines: LINES });
  });
});
