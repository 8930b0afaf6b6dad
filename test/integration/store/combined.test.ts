/** A command's two streams as one, against a model that puts whole lines down as they arrive. */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { timesFile } from '../../../electron/store/format/names.ts';
import { thisProcess } from '../../../electron/store/format/owner.ts';
import * as fc from '../../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import {
  type Chunk,
  START,
  timesOf,
  writeCommand,
  writeOutput,
  writeRecord,
} from '../../fixtures/library/captures.ts';
import { cases } from '../../fixtures/sizes.ts';

let root: string;
let home: string;
let host: Host;
let homes = 0;

beforeAll(() => {
  root = makeFolder();
});
afterAll(() => removeFolder(root));
beforeEach(async () => {
  homes += 1;
  home = join(root, `home${homes}`);
  mkdirSync(home, { mode: 0o700 });
  host = await createHost({ home, watch: false, threads: 0 });
});
afterEach(() => host.close());

/** Orders lines by the arrival of their line ends. Unfinished lines follow at the end, in order of arrival. */
function model(chunks: readonly Chunk[]): string {
  const waiting = [Buffer.alloc(0), Buffer.alloc(0)];
  let last = 0;
  let combined = Buffer.alloc(0);
  for (const { stream, bytes } of chunks) {
    const all = Buffer.concat([waiting[stream]!, bytes]);
    const end = all.lastIndexOf(10) + 1;
    combined = Buffer.concat([combined, all.subarray(0, end)]);
    waiting[stream] = all.subarray(end);
    if (bytes.length > 0) last = stream;
  }
  const rest = [waiting[1 - last]!, waiting[last]!].filter((bytes) => bytes.length > 0);
  return Buffer.concat(
    [combined, rest[0] ?? '', rest.length > 1 ? '\n' : '', rest[1] ?? ''].map((part) => Buffer.from(part)),
  ).toString();
}

async function combined(id: string): Promise<string> {
  return (await host.read({ artifact_id: id, limit: 1024 * 1024 })).content;
}

/** A text for each stream, cut anywhere: inside lines, characters, between CR and LF. */
const words = fc.constantFrom('a', 'error: x', '', 'zwölf', '漢字', '🙂🙂', 'tab\there', 'b\r');
const text = fc
  .array(fc.tuple(words, fc.constantFrom('\n', '\n', '\n', '')), { maxLength: 12 })
  .map((parts) => Buffer.from(parts.flat().join('')));
const chunks: fc.Arbitrary<Chunk[]> = fc
  .tuple(
    text,
    text,
    fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 9 })), { maxLength: 60 }),
  )
  .map(([out, err, cuts]) => {
    const left = [out, err];
    const found: Chunk[] = [];
    const take = (stream: number, bytes: number) => {
      const part = left[stream]!.subarray(0, bytes);
      left[stream] = left[stream]!.subarray(bytes);
      if (part.length > 0) found.push({ stream, bytes: part });
    };
    for (const [stream, bytes] of cuts) take(stream, bytes);
    take(0, Number.POSITIVE_INFINITY);
    take(1, Number.POSITIVE_INFINITY);
    return found;
  });

describe('the combined stream', () => {
  test('holds whole lines in the order in which they were ended, however the output came', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, async (arrived) => {
        const { id } = writeCommand(home, arrived);
        expect(await combined(id)).toBe(model(arrived));
      }),
      { numRuns: cases(80) },
    );
  });

  test('is the same from files, from the record and from packed files', async () => {
    const forms = fc.record({
      folded: fc.constantFrom([], [0], [1], [0, 1]),
      packed: fc.record({
        streams: fc.constantFrom([0], [1], [0, 1]),
        member: fc.integer({ min: 1, max: 40 }),
      }),
    });
    await fc.assert(
      fc.asyncProperty(chunks, forms, async (arrived, form) => {
        const { id } = writeCommand(home, arrived, form);
        expect(await combined(id)).toBe(model(arrived));
      }),
      { numRuns: cases(100) },
    );
  });

  test('only grows while the command runs, and is whole when it has ended', async () => {
    await fc.assert(
      fc.asyncProperty(
        chunks,
        fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 8 }),
        async (arrived, steps) => {
          const running = writeCommand(home, [], {
            change: (record) => ({
              ...record,
              status: 'running',
              recorder: thisProcess(),
              ended_at: null,
              duration_ms: null,
            }),
          });
          const files = running.record.streams.map(({ file }) => join(running.folder, file!));
          const times = timesOf(arrived, START);
          let done = 0;
          let before = '';
          for (const step of [...steps, arrived.length]) {
            for (const { stream, bytes } of arrived.slice(done, done + step))
              appendFileSync(files[stream]!, bytes);
            done = Math.min(arrived.length, done + step);
            writeFileSync(join(running.folder, timesFile(running.id)), times.subarray(0, done * 16));
            const now = await combined(running.id);
            const whole = model(arrived.slice(0, done));
            expect(now.startsWith(before)).toBe(true);
            // An unfinished line waits.
            expect(whole.startsWith(now)).toBe(true);
            expect(now === '' || now.endsWith('\n')).toBe(true);
            before = now;
          }
          const total = (stream: number) =>
            arrived
              .filter((chunk) => chunk.stream === stream)
              .reduce((sum, { bytes }) => sum + bytes.length, 0);
          writeRecord(running, {
            ...running.record,
            status: 'succeeded',
            recorder: null,
            streams: running.record.streams.map((stream, i) => ({
              ...stream,
              total_bytes: total(i),
              total_lines: null,
            })),
          });
          expect(await combined(running.id)).toBe(model(arrived));
        },
      ),
      { numRuns: cases(80) },
    );
  });

  test('puts a line end between two last lines that have none', async () => {
    const { id } = writeCommand(home, [
      { stream: 0, bytes: Buffer.from('out') },
      { stream: 1, bytes: Buffer.from('err') },
    ]);
    const view = await host.inspect({ artifact_id: id });
    expect(view).toMatchObject({
      stream: 'combined',
      file_path: null,
      content: 'out\nerr',
      total_lines: 2,
      total_bytes: 7,
    });
  });

  test('is the other stream, with its path, where one is empty', async () => {
    const { id, folder, record } = writeCommand(home, [{ stream: 1, bytes: Buffer.from('alone\n') }]);
    const view = await host.inspect({ artifact_id: id });
    expect(view).toMatchObject({
      stream: 'combined',
      file_path: join(folder, record.streams[1]!.file!),
      content: 'alone',
    });
  });

  test.each([
    ['all', Number.POSITIVE_INFINITY, 'when the lines arrived is not known'],
    ['the last', 2, 'when the last lines arrived is not known'],
  ])(
    'says that it does not know the order where %s of the times are missing',
    async (_, timesMissing, note) => {
      const arrived = ['out 1\n', 'err 1\n', 'out 2\n', 'err 2\n'].map((line, i) => ({
        stream: i % 2,
        bytes: Buffer.from(line),
      }));
      const { id } = writeCommand(home, arrived, { timesMissing });
      const view = await host.inspect({ artifact_id: id });
      expect(view.content.split('\n').toSorted()).toEqual(['err 1', 'err 2', 'out 1', 'out 2']);
      expect(view.note).toContain(note);
    },
  );

  test.each([
    ['fall', (times: Buffer) => times.writeBigUInt64LE(0n, 2 * 16 + 8)],
    ['are of a stream that is none', (times: Buffer) => times.writeUInt8(7, 2 * 16 + 6)],
  ])('believes no times from those on that %s', async (_, damage) => {
    const arrived = ['out 1\n', 'err 1\n', 'out 2\n', 'err 2\n'].map((line, i) => ({
      stream: i % 2,
      bytes: Buffer.from(line),
    }));
    const { id, folder } = writeCommand(home, arrived);
    const times = timesOf(arrived, START);
    damage(times);
    writeFileSync(join(folder, timesFile(id)), times);
    const view = await host.inspect({ artifact_id: id });
    expect(view.content).toBe('out 1\nerr 1\nout 2\nerr 2');
    expect(view.note).toContain('is not known');
  });
});

describe('streams', () => {
  test('each can be asked for by name, and the error for another names those there are', async () => {
    const { id } = writeCommand(home, [
      { stream: 0, bytes: Buffer.from('one\n') },
      { stream: 1, bytes: Buffer.from('two\n') },
    ]);
    expect(await host.inspect({ artifact_id: id, stream: 'stderr' })).toMatchObject({
      stream: 'stderr',
      content: 'two',
    });
    await expect(host.inspect({ artifact_id: id, stream: 'output' })).rejects.toMatchObject({
      code: 'usage',
      message: 'this artifact has no stream output: it has combined, stdout, stderr',
    });
    const other = writeOutput(home, [Buffer.from('x\n')]);
    await expect(host.inspect({ artifact_id: other.id, stream: 'combined' })).rejects.toMatchObject({
      message: 'this artifact has no stream combined: it has output',
    });
  });

  test('a path that was given out keeps resolving when the file was packed or folded', async () => {
    const packed = writeOutput(home, [Buffer.from('packed\n')], { packed: { streams: [0], member: 3 } });
    const folded = writeCommand(home, [{ stream: 0, bytes: Buffer.from('folded\n') }], { folded: [0, 1] });
    const path = join(packed.folder, packed.record.streams[0]!.file!);
    expect(existsSync(path)).toBe(false);
    expect(await host.inspect({ file_path: path })).toMatchObject({
      artifact_id: packed.id,
      stream: 'output',
      file_path: `${path}.gz`,
      content: 'packed',
    });
    expect(await host.inspect({ file_path: join(folded.folder, `${folded.id}.stdout.log`) })).toMatchObject({
      artifact_id: folded.id,
      stream: 'stdout',
      file_path: null,
      content: 'folded',
    });
  });
});
