/** A recording's files: bytes, times, the record; folded, spilled, capped, or not at all. */
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startClock } from '../../../electron/recorder/streams/clock.ts';
import { commandBudgets } from '../../../electron/recorder/streams/inline-budget.ts';
import { type RecordingOptions, startRecording } from '../../../electron/recorder/streams/recording.ts';
import { sessionFolder } from '../../../electron/store/format/names.ts';
import { type CaptureRecord, parseRecord } from '../../../electron/store/format/record.ts';
import { decodeArrivals } from '../../../electron/store/format/times.ts';
import { Settings } from '../../../shared/settings.ts';
import fc from '../../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});

afterEach(() => removeFolder(home));

const settings = (given: object = {}) => Settings.parse({ minFreeBytes: 0, ...given });

function options(given: Partial<RecordingOptions> = {}): RecordingOptions {
  const used = given.settings ?? settings();
  return {
    home,
    settings: used,
    session: 'default',
    kind: 'cmd',
    label: 'ls',
    command: 'ls',
    args: ['-l'],
    cwd: '/',
    envNames: [],
    streams: ['stdout', 'stderr'],
    budgets: commandBudgets(used),
    ...given,
  };
}

function recordOf(folder: string, id: string): CaptureRecord {
  const parsed = parseRecord(readFileSync(join(folder, `${id}.meta.json`), 'utf8'));
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.record;
}

/** None where it was closed meanwhile. */
function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}

const bytes = (text: string) => Buffer.from(text);

describe('a recording', () => {
  test('within its budget is folded into its record, and leaves nothing else', async () => {
    const recording = startRecording(options());
    recording.write('stdout', bytes('hello\nwor'));
    recording.write('stderr', bytes('oh\n'));
    recording.write('stdout', bytes('ld'));
    const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
    const { folder, artifactId } = recording;
    const record = recordOf(folder!, artifactId!);
    expect(finished.streams.map((stream) => stream.file_path)).toEqual([null, null]);
    expect(record).toMatchObject({
      status: 'succeeded',
      exit_code: 0,
      recorder: null,
      streams: [
        { name: 'stdout', file: null, total_bytes: 11, total_lines: 2, gap: null },
        { name: 'stderr', file: null, total_bytes: 3, total_lines: 1, gap: null },
      ],
    });
    expect(record.streams.map(({ folded }) => Buffer.from(folded!, 'base64').toString())).toEqual([
      'hello\nworld',
      'oh\n',
    ]);
    const arrivals = decodeArrivals(Buffer.from(record.times!, 'base64'));
    expect(arrivals.at(-1)).toMatchObject({ stream: 0, end: 11 });
    expect(arrivals.some(({ stream, end }) => stream === 1 && end === 3)).toBe(true);
    expect(readdirSync(folder!).sort()).toEqual([`${artifactId}.meta.json`, 'session.json']);
  });

  test('of exactly its budget stays inline, and one byte more spills', async () => {
    for (const [size, isInline] of [
      [4096, true],
      [4097, false],
    ] as const) {
      const recording = startRecording(options());
      recording.write('stdout', Buffer.alloc(size, 'x'));
      const { streams } = await recording.finish({ status: 'succeeded', exit_code: 0 });
      expect(streams[0]).toMatchObject({ spilled: !isInline, total_bytes: size });
      expect(streams[0]!.file_path === null).toBe(isInline);
      expect(streams[1]!.file_path).toBe(null);
      if (!isInline) expect(readFileSync(streams[0]!.file_path!).length).toBe(size);
    }
  });

  test('of exactly as many lines as are allowed stays inline, and one more spills', async () => {
    for (const lines of [500, 501]) {
      const recording = startRecording(options());
      recording.write('stdout', bytes('x\n'.repeat(lines)));
      const { streams } = await recording.finish({ status: 'succeeded', exit_code: 0 });
      expect(streams[0]).toMatchObject({ spilled: lines > 500, total_lines: lines });
    }
  });

  test('is on disk as soon as it was written', () => {
    const recording = startRecording(options());
    recording.write('stderr', bytes('partial'));
    expect(readFileSync(recording.filePath('stderr')!, 'utf8')).toBe('partial');
    expect(recordOf(recording.folder!, recording.artifactId!)).toMatchObject({
      status: 'running',
      recorder: { pid: process.pid },
    });
  });

  test('keeps its times in order when the clock is set back', async () => {
    let wall = 1_800_000_000_000;
    let monotonic = 5;
    const clock = startClock(
      () => wall,
      () => monotonic,
    );
    const recording = startRecording(options({ clock }));
    for (let i = 0; i < 5; i += 1) {
      recording.write('stdout', bytes('x'));
      monotonic += 10;
      wall -= 3_600_000;
    }
    const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
    const record = recordOf(recording.folder!, recording.artifactId!);
    const times = decodeArrivals(Buffer.from(record.times!, 'base64')).map(
      ({ time }) => time - 1_800_000_000_000,
    );
    expect(times).toEqual([0, 10, 20, 30, 40]);
    expect(finished.durationMs).toBe(50);
    expect(record.duration_ms).toBe(50);
    expect(Date.parse(record.ended_at!)).toBe(1_800_000_000_050);
  });

  test('does not take longer by a clock that is set forward', async () => {
    let wall = 1_800_000_000_000;
    let monotonic = 5;
    const clock = startClock(
      () => wall,
      () => monotonic,
    );
    const recording = startRecording(options({ clock }));
    monotonic += 20;
    wall += 3_600_000;
    const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
    expect(finished.durationMs).toBe(20);
    expect(Date.parse(recordOf(recording.folder!, recording.artifactId!).ended_at!)).toBe(wall);
  });

  test.each(['../../x', 'x'.repeat(300), '🦊 fox', 'two words', '..', '.', '/', '\\', 'a\nb', '', '\u0000'])(
    'named %j stays in its folder',
    async (name) => {
      const recording = startRecording(options({ session: name, label: name }));
      recording.write('stdout', Buffer.alloc(5000, 'x'));
      const { streams, artifactId } = await recording.finish({ status: 'succeeded', exit_code: 0 });
      expect(recording.problem).toBe(null);
      expect(artifactId).toMatch(/^cmd-[A-Za-z0-9._-]+$/);
      expect(artifactId!.length).toBeLessThanOrEqual(120);
      const folder = sessionFolder(home, name || 'default');
      expect(streams[0]!.file_path).toBe(join(folder, `${artifactId}.stdout.log`));
      expect(readdirSync(home)).toEqual(['captures']);
      expect(readdirSync(join(home, 'captures'))).toEqual([basename(folder)]);
      expect(recordOf(folder, artifactId!)).toMatchObject({ label: name, session: name || 'default' });
      expect(JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8'))).toMatchObject({
        name: name || 'default',
      });
    },
  );
});

describe('over the cap', () => {
  test('it is not inline, however small the cap', async () => {
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

  test('the head and the end are kept, and the loss is counted and placed, whatever the lines and the cap', async () => {
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
      { numRuns: 150 },
    );
  });

  test('a single line is joined, with nothing of its lines lost', async () => {
    await checkCapped(Buffer.alloc(20_000, 'x'), 1000, 777);
  });

  test('segments are kept small however much comes', async () => {
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

describe('lines of UTF-16', () => {
  const text = Buffer.from('\uFEFFਊ one\nĊ two\nthree\n', 'utf16le');
  const swapped = Buffer.from(text).swap16();
  test.each([
    ['with a last line end', text, 3],
    ['without', text.subarray(0, -2), 3],
    ['cut within a character', text.subarray(0, -1), 3],
    ['with the other byte order', swapped, 3],
  ])('are counted as a reader counts them: %s', async (_, all, lines) => {
    for (const step of [1, 3, 64]) {
      const recording = startRecording(options());
      for (let at = 0; at < all.length; at += step) recording.write('stdout', all.subarray(at, at + step));
      const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
      expect(finished.streams[0]!.total_lines).toBe(lines);
    }
  });
});

describe('where nothing can be written', () => {
  test('it says why, and previews still come from memory', async () => {
    const recording = startRecording(options({ home: '/proc/none' }));
    expect(recording).toMatchObject({ artifactId: null, folder: null });
    expect(recording.problem).toMatch(
      /^\/proc\/none.* cannot be written \(ENOENT\): see that it may be written/,
    );
    recording.write('stdout', bytes('a\nb\n'));
    const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
    expect(finished.streams[0]).toMatchObject({ file_path: null, total_lines: 2, total_bytes: 4 });
    expect(finished.streams[0]!.sample.head.toString()).toBe('a\nb\n');
  });

  test('what was deleted while it was recorded stays deleted, and that is said', async () => {
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
    'a record that cannot be written leaves no file open',
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

  test('what minFreeBytes forbids is not stored, and what is missing is counted', async () => {
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

  test('what is small is in the record, and nothing is said to be missing', async () => {
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
