/** Captures that change under a reader: folded, packed, mended or removed between its looks. */
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import { Document } from '../../../electron/host/documents/document.ts';
import { CaptureOrigin } from '../../../electron/host/documents/origins/capture-origin.ts';
import { Captures } from '../../../electron/store/captures.ts';
import { recordFile, timesFile } from '../../../electron/store/format/names.ts';
import { thisProcess } from '../../../electron/store/format/owner.ts';
import { createPool } from '../../../electron/workers/pool.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { unpackIn } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import {
  type MadeCapture,
  START,
  timesOf,
  writeCommand,
  writeRecord,
} from '../../fixtures/library/captures.ts';
import { until } from '../../fixtures/until.ts';

let root: string;
let home: string;
let homes = 0;

beforeAll(() => {
  root = makeFolder();
});
afterAll(() => removeFolder(root));
beforeEach(() => {
  homes += 1;
  home = join(root, `home${homes}`);
  mkdirSync(home, { mode: 0o700 });
});

const CAME = ['out 1\n', 'err 1\n', 'out 2\n'].map((text, i) => ({
  stream: i % 2,
  bytes: Buffer.from(text),
}));
const WHOLE = 'out 1\nerr 1\nout 2';

function running(): MadeCapture {
  return writeCommand(home, CAME, {
    change: (record) => ({
      ...record,
      status: 'running',
      recorder: thisProcess(),
      ended_at: null,
      duration_ms: null,
    }),
  });
}

/** As the recorder does it: the record first, then the files go. */
function fold(made: MadeCapture): void {
  writeRecord(made, {
    ...made.record,
    status: 'succeeded',
    recorder: null,
    times: timesOf(CAME, START).toString('base64'),
    streams: made.record.streams.map((stream, i) => ({
      ...stream,
      file: null,
      folded: made.stored[i]!.toString('base64'),
    })),
  });
  for (const { file } of made.record.streams) rmSync(join(made.folder, file!));
  rmSync(join(made.folder, timesFile(made.id)));
}

function documentOf(made: MadeCapture, captures: Captures): Document {
  const pool = createPool(0);
  const unpack = unpackIn(root, 1024 * 1024);
  const place = { captures, folder: made.folder, id: made.id, stream: 'combined' as const };
  return new Document(made.folder, {
    asText: false,
    pool,
    origin: new CaptureOrigin(place, { unpack, pool }),
  });
}

function capturesOf(): Captures {
  return new Captures({ home, retentionHours: 24, onPut: () => {}, onRemove: () => {} });
}

const textOf = (document: Document) =>
  document.use('everything', async (generation) => {
    const { stream } = generation.text();
    const { openStream } = await import('../../../electron/reader/bytes/streams.ts');
    const bytes = Buffer.alloc(stream.size);
    openStream(stream).read(bytes, 0);
    return bytes.toString();
  });

describe('a capture is read whole', () => {
  test('when it is folded between the look at its record and the opening of its files', async () => {
    const made = running();
    const captures = capturesOf();
    const stale = captures.load(made.folder, made.id)!;
    fold(made);
    vi.spyOn(captures, 'load').mockReturnValueOnce(stale);
    const document = documentOf(made, captures);
    expect(await textOf(document)).toBe(`${WHOLE}\n`);
    document.close();
  });

  test('when it is folded while it is open', async () => {
    const made = running();
    const document = documentOf(made, capturesOf());
    expect(await textOf(document)).toBe(`${WHOLE}\n`);
    fold(made);
    expect(await textOf(document)).toBe(`${WHOLE}\n`);
    expect(document.state()?.generation).toBe(1);
    document.close();
  });

  test('when its stream is packed while it is open, and when it is opened then', async () => {
    const made = writeCommand(home, CAME);
    const captures = capturesOf();
    const document = documentOf(made, captures);
    expect(await textOf(document)).toBe(`${WHOLE}\n`);
    const path = join(made.folder, made.record.streams[0]!.file!);
    const stale = captures.load(made.folder, made.id)!;
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)));
    rmSync(path);
    expect(await textOf(document)).toBe(`${WHOLE}\n`);
    const other = capturesOf();
    vi.spyOn(other, 'load').mockReturnValueOnce(stale);
    const second = documentOf(made, other);
    expect(await textOf(second)).toBe(`${WHOLE}\n`);
    document.close();
    second.close();
  });
});

describe('a capture that goes', () => {
  test('while a window shows it stays readable there, and is gone for everybody else', async () => {
    const made = writeCommand(home, CAME);
    const host = await createHost({ home, watch: false, threads: 0 });
    const states: DocumentState[] = [];
    const unwatch = host.watchDocument(
      { artifact_id: made.id },
      (state) => states.push(state),
      () => {},
    );
    await until(() => states.at(-1)?.total_lines === 3);
    rmSync(made.folder, { recursive: true });
    await until(() => states.at(-1)?.condition === 'vanished');
    const { rows } = await host.rows({ document: { artifact_id: made.id }, start_line: 1, count: 5 });
    expect(rows.map((row) => row.text)).toEqual(WHOLE.split('\n'));
    await expect(host.inspect({ artifact_id: made.id }, { access: 'agent' })).rejects.toMatchObject({
      code: 'not_found',
    });
    unwatch();
    await expect(host.inspect({ artifact_id: made.id })).rejects.toMatchObject({ code: 'not_found' });
    await host.close();
  });

  test('with its record only half removed is not listed', async () => {
    const made = writeCommand(home, CAME);
    const host = await createHost({ home, watch: false, threads: 0 });
    expect((await host.list({})).outputs).toHaveLength(1);
    const record = join(made.folder, recordFile(made.id));
    renameSync(record, join(made.folder, `${made.id}.${process.pid}.gone`));
    expect((await host.list({})).outputs).toEqual([]);
    await host.close();
  });
});

describe('a stream that outgrew its cap', () => {
  test('begins a new generation once its end was joined, and its lines keep their numbers', async () => {
    const made = running();
    const document = documentOf(made, capturesOf());
    expect(await textOf(document)).toBe(`${WHOLE}\n`);
    const stdout = join(made.folder, made.record.streams[0]!.file!);
    writeFileSync(stdout, 'out 1\nout 99\n');
    writeRecord(made, {
      ...made.record,
      status: 'succeeded',
      recorder: null,
      streams: made.record.streams.with(0, {
        ...made.record.streams[0]!,
        total_bytes: 13,
        total_lines: 99,
        gap: { offset: 6, line: 1, bytes: 700, lines: 97 },
      }),
    });
    expect(await textOf(document)).toBe('out 1\nerr 1\nout 99\n');
    expect(document.state()?.generation).toBe(2);
    expect(document.state()).toMatchObject({
      total_lines: 100,
      notice: { text: expect.stringContaining('after a gap') },
    });
    document.close();
  });
});

describe('a file that something else cut or changed', () => {
  test('is shown as it is then, with a word about it', async () => {
    const made = writeCommand(home, CAME);
    // Long after it was recorded.
    utimesSync(join(made.folder, recordFile(made.id)), START / 1000, START / 1000);
    const document = documentOf(made, capturesOf());
    expect(await textOf(document)).toBe(`${WHOLE}\n`);
    writeFileSync(join(made.folder, made.record.streams[0]!.file!), 'OUT\n');
    expect(await textOf(document)).toBe('OUT\nerr 1\n');
    expect(document.state()?.generation).toBe(2);
    document.close();
  });
});
