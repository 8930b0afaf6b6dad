/** A recording's files: bytes, times, the record; folded, spilled, capped, or not at all. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startClock } from '../../../electron/recorder/streams/clock.ts';
import { startRecording } from '../../../electron/recorder/streams/recording.ts';
import { sessionFolder } from '../../../electron/store/format/names.ts';
import { decodeArrivals } from '../../../electron/store/format/times.ts';
import { bytes, home, options, recordOf, setUpHome } from '../../fixtures/set-up/recordings.ts';

setUpHome();

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

  test('does not last longer when the clock is set forward', async () => {
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

  test('ends when the command exits, not when its record is written', async () => {
    let monotonic = 5;
    const clock = startClock(
      () => 1_800_000_000_000 + monotonic,
      () => monotonic,
    );
    const recording = startRecording(options({ clock }));
    monotonic += 20;
    recording.noteExit();
    monotonic += 700;
    const finished = await recording.finish({ status: 'failed', exit_code: 3 });
    expect(finished.durationMs).toBe(20);
    expect(Date.parse(finished.endedAt)).toBe(1_800_000_000_025);
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

describe('lines of UTF-16', () => {
  const text = Buffer.from('\uFEFFਊ one\nĊ two\nthree\n', 'utf16le');
  const swapped = Buffer.from(text).swap16();
  const plain = Buffer.from('one\n\nthree Ċ Ċ is a line end in bytes\n', 'utf16le');
  test.each([
    ['with a last line end', text, 3],
    ['without', text.subarray(0, -2), 3],
    ['cut within a character', text.subarray(0, -1), 3],
    ['with the other byte order', swapped, 3],
    ['without a byte order mark', plain, 3],
    ['without a mark, cut within a character', plain.subarray(0, -1), 3],
    [
      'without a mark, longer than what tells the encoding',
      Buffer.from('one\n'.repeat(9001), 'utf16le'),
      9001,
    ],
    ['binary data', Buffer.from('a\0b\n\0'), 2],
  ])('are counted as a reader counts them: %s', async (_, all, lines) => {
    // An odd step cuts characters; each step of a long text is a write to the disk.
    for (const step of all.length > 1000 ? [4099] : [1, 3, 64]) {
      const recording = startRecording(options());
      for (let at = 0; at < all.length; at += step) recording.write('stdout', all.subarray(at, at + step));
      const finished = await recording.finish({ status: 'succeeded', exit_code: 0 });
      expect(finished.streams[0]!.total_lines).toBe(lines);
    }
  });
});
