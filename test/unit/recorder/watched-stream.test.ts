/** Tests when following a stream leaves time for other work, and the line numbers of what it finds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { explainStreams } from '../../../electron/reader/failure/explain.ts';
import { WatchedStream } from '../../../electron/recorder/streams/failure-watch.ts';
import { StreamSample } from '../../../electron/recorder/streams/preview.ts';
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

describe('of a stream whose middle is not stored', () => {
  const folder = makeFolder();
  afterAll(() => removeFolder(folder));

  /** Explains a stream of which only the first `stored` bytes are in its file. */
  function explained(output: string, stored: number, steps: number) {
    const bytes = Buffer.from(output);
    const path = join(folder, 'stored.txt');
    writeFileSync(path, bytes.subarray(0, stored));
    const sample = new StreamSample();
    sample.push(bytes);
    const watched = new WatchedStream('stdout', () => path);
    for (let step = 0; step < steps; step++) watched.step();
    const newlines = output.split('\n').length - 1;
    const stream = watched.finish(sample.take({ bytes: bytes.length, newlines }))!;
    const { cause } = explainStreams([stream]);
    watched.close();
    return { cause, lines: stream.scanner.lines, isWhole: watched.isWhole };
  }

  const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('');

  test.each([
    ['nothing', 0, 0],
    ['less than the beginning in memory', 50_000, 0],
    ['less than the beginning in memory, which was watched', 50_000, 3],
    ['more than the beginning in memory', MIB, 0],
    ['more than the beginning in memory, which was watched', MIB, 9],
    ['most of it', 1.3 * MIB, 30],
  ])('the number of the cause is true where the file holds %s', (_, stored, steps) => {
    const { cause, lines, isWhole } = explained(`${numbers(300_000)}fatal: boom\n`, stored, steps);
    expect(cause).toMatchObject({ line_number: 300_001, text: 'fatal: boom' });
    expect({ lines, isWhole }).toEqual({ lines: 300_001, isWhole: false });
  });

  test('the numbers are true of a text that is too long to catch up with', () => {
    const text = `${'a line of output that is rather long\n'.repeat(1_200_000)}fatal: boom\n`;
    for (const stored of [0, 12 * MIB])
      expect(explained(text, stored, 0).cause).toMatchObject({ line_number: 1_200_001 });
  });

  test('a last line that began in it counts', () => {
    const { cause, lines } = explained(`ok\nfatal: boom\n${'x'.repeat(2 * MIB)}`, 1000, 0);
    expect(cause).toMatchObject({ line_number: 2, text: 'fatal: boom' });
    expect(lines).toBe(3);
  });

  test('the number is true where the end in memory is short', () => {
    const { cause, lines } = explained(`${numbers(60_000)}fatal: boom\n`, 1000, 0);
    expect(cause).toMatchObject({ line_number: 60_001, text: 'fatal: boom' });
    expect(lines).toBe(60_001);
  });
});
