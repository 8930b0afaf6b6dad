/** Recordings over the cap, and where nothing can be written. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unwritable } from '../../../electron/recorder/streams/open-files.ts';
import { startRecording } from '../../../electron/recorder/streams/recording.ts';
import fc from '../../fixtures/fast-check.ts';
import { removeFolder } from '../../fixtures/folder.ts';
import {
  bytes,
  home,
  linkOf,
  options,
  recordOf,
  settings,
  setUpHome,
} from '../../fixtures/set-up/recordings.ts';
import { cases } from '../../fixtures/sizes.ts';

setUpHome();

describe('a recording over the cap', () => {
  test('is not inline, however small the cap', async () => {
    const recording = startRecording(options({ settings: settings({ maxStreamBytes: 100 }) }));
    recording.write('stdout', bytes('x\n'.repeat(60)));
    const { streams } = await recording.finish({ status: 'succeeded', exit_code: 0 });
    expect(streams[0]).toMatchObject({ spilled: true, total_lines: 60, total_bytes: 100, dropped_bytes: 20 });
  });

  /** Expects the stored bytes to be the head and, after the gap, the tail, with true numbers. */
  async function checkCapped(input: Buffer, cap: number, chunk: number): Promise<void> {
    const recording = startRecording(
      options({ settings: settings({ maxStreamBytes: cap }), streams: ['output'], budgets: {} }),
    );
    for (let at = 0; at < input.length; at += chunk)
      recording.write('output', input.subarray(at, at + chunk));
    const { streams } = await recording.finish({ status: 'finished' });
    const stored = readFileSync(streams[0]!.file_path!);
    const stream = recordOf(recording.folder!, recording.artifactId!).streams[0]!;
    const gap = stream.gap ?? { offset: stored.length, line: 0, bytes: 0, lines: 0 };
    const before = input.subarray(0, gap.offset);
    const after = input.subarray(gap.offset + gap.bytes);
    expect(Buffer.compare(stored, Buffer.concat([before, after]))).toBe(0);
    const ends = (part: Buffer) => part.toString('latin1').split('\n').length - 1;
    const missing = input.subarray(gap.offset, gap.offset + gap.bytes);
    expect(stream).toMatchObject({ total_bytes: stored.length, total_lines: linesOf(input) });
    expect(streams[0]).toMatchObject({ dropped_bytes: gap.bytes, total_lines: linesOf(input) });
    if (stream.gap !== null) {
      expect(gap).toMatchObject({ line: ends(before), lines: ends(missing) });
      expect(stored.length).toBeLessThanOrEqual(cap);
      if (gap.lines > 0 && before.includes(10)) {
        expect(before.at(-1)).toBe(10);
        if (after.includes(10)) expect(input[gap.offset + gap.bytes - 1]).toBe(10);
      }
    } else expect(input.length).toBeLessThanOrEqual(cap);
    expect(readdirSync(recording.folder!).filter((name) => name.includes('.tail.'))).toEqual([]);
  }

  test('keeps head and end, and records size and place of the gap, for any lines and any cap', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 400 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 6000 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.boolean(),
        async (lengths, cap, chunk, ended) => {
          const text = lengths
            .map((length, i) => String.fromCharCode(97 + (i % 26)).repeat(length))
            .join('\n');
          await checkCapped(bytes(ended ? `${text}\n` : text), cap, chunk);
        },
      ),
      { numRuns: cases(300) },
    );
  });

  test('joins the two ends of a single line, and loses no line', async () => {
    await checkCapped(Buffer.alloc(20_000, 'x'), 1000, 777);
  });

  test('keeps its tail segments small, however much comes', async () => {
    const MIB = 1024 * 1024;
    const input = Buffer.alloc(12 * MIB, 'some line or other\n');
    await checkCapped(input, MIB, 100_000);
    await checkCapped(input, 3 * MIB, 5 * MIB);
  });
});

function linesOf(input: Buffer): number {
  if (input.length === 0) return 0;
  return input.toString('latin1').split('\n').length - (input.at(-1) === 10 ? 1 : 0);
}

describe('a recording that cannot write', () => {
  test('says why, and still gives previews from memory', async () => {
    const recording = startRecording(options({ home: '/proc/none' }));
    expect(recording).toMatchObject({ artifactId: null, folder: null });
    expect(recording.problem).toMatch(/^\/proc\/none.* cannot be written \(ENOENT\): check its permissions/);
    recording.write('stdout', bytes('a\nb\n'));
    const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
    expect(finished.streams[0]).toMatchObject({ file_path: null, total_lines: 2, total_bytes: 4 });
    expect(finished.streams[0]!.sample.head.toString()).toBe('a\nb\n');
  });

  test.each([
    ['EFBIG', /limit of a file’s size \(ulimit -f\)/],
    ['EMFILE', /limit of open files \(ulimit -n\)/],
  ])('names the limit that is behind %s', (code, limit) => {
    const said = unwritable(Object.assign(new Error(code), { code, path: '/home/of/ann' }));
    expect(said).toMatch(limit);
    expect(said).not.toMatch(/permissions/);
  });

  test('does not recreate files that were deleted meanwhile, and warns', async () => {
    const recording = startRecording(options());
    recording.write('stdout', Buffer.alloc(5000, 'x'));
    removeFolder(home);
    recording.write('stdout', bytes('more'));
    const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
    expect(finished.artifactId).toBe(null);
    expect(finished.warnings.join()).toMatch(/deleted while it was recorded/);
    expect(existsSync(home)).toBe(false);
  });

  test.runIf(process.platform === 'linux')(
    'leaves no file open when the record cannot be written',
    async () => {
      const recording = startRecording(options());
      recording.write('stdout', bytes('x\n'.repeat(5000)));
      const record = join(recording.folder!, `${recording.artifactId}.meta.json`);
      rmSync(record);
      mkdirSync(record);
      const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
      expect(finished.warnings.join()).toMatch(/its record could not be written/);
      const open = readdirSync('/proc/self/fd').flatMap((fd) => linkOf(`/proc/self/fd/${fd}`));
      expect(open.filter((path) => path.startsWith(home))).toEqual([]);
    },
  );

  test('stores nothing below minFreeBytes, and counts the missing bytes and lines', async () => {
    const recording = startRecording(options({ settings: settings({ minFreeBytes: 2 ** 50 }) }));
    recording.write('stdout', bytes('x\n'.repeat(5000)));
    const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
    expect(finished.warnings.join()).toMatch(/stdout is not stored .*minFreeBytes/);
    expect(recordOf(recording.folder!, recording.artifactId!)).toMatchObject({
      status: 'succeeded',
      warnings: [expect.stringMatching(/minFreeBytes/)],
      streams: [
        { total_bytes: 0, total_lines: 5000, gap: { offset: 0, line: 0, bytes: 10_000, lines: 5000 } },
        { total_bytes: 0, folded: '' },
      ],
    });
  });

  test('keeps small output in the record, without a warning', async () => {
    const recording = startRecording(options({ settings: settings({ minFreeBytes: 2 ** 50 }) }));
    recording.write('stdout', bytes('hi\n'));
    const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
    expect(finished.warnings).toEqual([]);
    expect(recordOf(recording.folder!, recording.artifactId!)).toMatchObject({
      warnings: [],
      streams: [{ folded: bytes('hi\n').toString('base64'), gap: null }, { folded: '' }],
    });
  });
});
