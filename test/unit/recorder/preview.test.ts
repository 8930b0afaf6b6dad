/** Previews: whole lines and whole characters from both ends, within their budget, with true numbers. */

import { describe, expect, test } from 'vitest';
import { addToCounts, noCounts } from '../../../electron/recorder/streams/outcome.ts';
import {
  cutPreview,
  type Preview,
  type PreviewLimits,
  SAMPLE_BYTES,
} from '../../../electron/recorder/streams/preview.ts';
import { RecordedStream } from '../../../electron/recorder/streams/recorded-stream.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

const MEDIUM: PreviewLimits = { bytes: 4096, lines: 500, collapseProgress: true };

/** Cuts a preview from input that arrives in chunks of `chunk` bytes. */
function previewOf(input: string | Buffer, limits: Partial<PreviewLimits> = {}, chunk = 65_536): Preview {
  const bytes = Buffer.from(input);
  const counts = noCounts();
  const stream = new RecordedStream({ name: 'stdout', counts });
  for (let at = 0; at < bytes.length; at += chunk) {
    const part = bytes.subarray(at, at + chunk);
    addToCounts(counts, part, part.toString('latin1').split('\n').length - 1);
    stream.push(part);
  }
  return cutPreview(
    {
      name: 'stdout',
      content_type: stream.contentType,
      total_lines: stream.totalLines,
      dropped_bytes: 0,
      sample: stream.sample(),
    },
    { ...MEDIUM, ...limits },
  );
}

const whole = (content: string, lines: number) => ({
  parts: [{ stream: 'stdout', start_line: 1, end_line: lines, content }],
  returned_lines: lines,
  returned_bytes: Buffer.byteLength(content),
  truncated: false,
});

describe('a preview', () => {
  test('of an empty stream is empty', () => {
    expect(previewOf('')).toEqual({ parts: [], returned_lines: 0, returned_bytes: 0, truncated: false });
  });

  test('of a stream that fits is all of it, without the last line end', () => {
    expect(previewOf('a\nb\n')).toEqual(whole('a\nb', 2));
    expect(previewOf('a\nb')).toEqual(whole('a\nb', 2));
    expect(previewOf('\n')).toEqual(whole('', 1));
    expect(previewOf('a\n\n')).toEqual(whole('a\n', 2));
    expect(previewOf('a\r\nb\r\n')).toEqual(whole('a\nb', 2));
  });

  test('of one long line has its beginning and its end, and says so', () => {
    const { parts, truncated } = previewOf(`${'a'.repeat(50_000)}${'z'.repeat(50_000)}`);
    expect(truncated).toBe(true);
    expect(parts.map(({ content, ...part }) => ({ ...part, of: content[0], chars: content.length }))).toEqual(
      [
        { stream: 'stdout', start_line: 1, end_line: 1, clipped: 'beginning', of: 'a', chars: 2457 },
        { stream: 'stdout', start_line: 1, end_line: 1, clipped: 'end', of: 'z', chars: 1639 },
      ],
    );
    expect(previewOf('a\nb\n').parts[0]).not.toHaveProperty('clipped');
    expect(previewOf('line\n'.repeat(1000), { lines: 10 }).parts[0]).not.toHaveProperty('clipped');
  });

  test.each([
    [1, [1]],
    [2, [1, 1]],
    [3, [2, 1]],
    [5, [3, 2]],
    [10, [6, 4]],
    [37, [22, 15]],
  ])('of %d lines has %j of them from either end', (lines, shares) => {
    const { parts } = previewOf('line\n'.repeat(1000), { lines });
    expect(parts.map(({ start_line, end_line }) => end_line - start_line + 1)).toEqual(shares);
  });

  test('of exactly the budget is complete, and of one byte more is not', () => {
    const line = `${'x'.repeat(99)}\n`;
    expect(previewOf(line.repeat(10), { bytes: 1000 })).toMatchObject({
      truncated: false,
      returned_lines: 10,
    });
    expect(previewOf(`${line.repeat(10)}y`, { bytes: 1000 })).toMatchObject({ truncated: true });
    expect(previewOf('x\n'.repeat(10), { lines: 10 })).toMatchObject({
      truncated: false,
      returned_lines: 10,
    });
    expect(previewOf('x\n'.repeat(11), { lines: 10 })).toMatchObject({ truncated: true, returned_lines: 10 });
  });

  test('gives 60 % of the lines to the head and 40 % to the tail', () => {
    const text = Array.from({ length: 5000 }, (_, i) => `${i + 1}\n`).join('');
    const { parts } = previewOf(text, { lines: 100 });
    expect(parts.map(({ start_line, end_line }) => [start_line, end_line])).toEqual([
      [1, 60],
      [4961, 5000],
    ]);
  });

  test('gives 60 % of the bytes to the head and 40 % to the tail', () => {
    const text = `${'y'.repeat(9)}\n`.repeat(100_000);
    const { parts, returned_bytes } = previewOf(text, { lines: 100_000 });
    expect(parts[0]!.content.length).toBeGreaterThan(2457 - 10);
    expect(parts[0]!.content.length).toBeLessThanOrEqual(2457);
    expect(parts[1]!.content.length).toBeGreaterThan(1639 - 10);
    expect(returned_bytes).toBeLessThanOrEqual(4096);
  });

  test('of a text that is one byte too long leaves out a line, even if head and tail would meet', () => {
    const preview = previewOf(`${'a'.repeat(11)}\n${'b'.repeat(4)}\n${'c'.repeat(11)}`, {
      bytes: 27,
      lines: 3,
    });
    expect(preview.parts.map(({ start_line, end_line }) => [start_line, end_line])).toEqual([
      [1, 1],
      [3, 3],
    ]);
    expect(preview).toMatchObject({ returned_bytes: 22, returned_lines: 2, truncated: true });
  });

  test('of any stream has whole lines with their true numbers, within the limits, and is never empty', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '語', ' '), maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 80 }),
        fc.boolean(),
        fc.integer({ min: 20, max: 600 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 50 }),
        (lines, ends, bytes, most, chunk) => {
          const text = lines.join('\n') + (ends ? '\n' : '');
          if (text === '') return;
          const count = ends || lines.at(-1) !== '' ? lines.length : lines.length - 1;
          const preview = previewOf(text, { bytes, lines: most }, chunk);
          expect(preview.parts.length).toBeGreaterThan(0);
          expect(preview.parts.length).toBeLessThanOrEqual(2);
          const shown = preview.parts.reduce((sum, part) => sum + Buffer.byteLength(part.content), 0);
          expect(preview.returned_bytes).toBe(shown);
          expect(shown).toBeLessThanOrEqual(bytes);
          expect(preview.returned_lines).toBeLessThanOrEqual(most);
          for (const part of preview.parts) {
            const wanted = lines.slice(part.start_line - 1, part.end_line).join('\n');
            const isCut = part.start_line === part.end_line && part.content !== wanted;
            if (isCut) expect(wanted.startsWith(part.content) || wanted.endsWith(part.content)).toBe(true);
            else expect(part.content).toBe(wanted);
            expect(part.content).not.toContain('\uFFFD');
          }
          if (preview.truncated) expect(preview.parts.at(-1)!.end_line).toBeLessThanOrEqual(count);
          else
            expect(preview.parts).toEqual([
              { stream: 'stdout', start_line: 1, end_line: count, content: lines.slice(0, count).join('\n') },
            ]);
        },
      ),
      { numRuns: cases(800) },
    );
  });

  test('of a character split over chunks at every offset is the same', () => {
    const text = `first é\n${'😀'.repeat(2000)}\nlast 語 line\n`;
    const wanted = previewOf(text);
    for (let chunk = 1; chunk <= 9; chunk += 1) expect(previewOf(text, {}, chunk)).toEqual(wanted);
    for (const { content } of wanted.parts) expect(content).not.toContain('\uFFFD');
  });

  test('of a stream larger than its sample never has half a character at the cut', () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const text = `${'x'.repeat(shift)}${'😀'.repeat(SAMPLE_BYTES)}`;
      const { parts } = previewOf(text, { bytes: 1_000_000, lines: 10 });
      expect(parts).toHaveLength(2);
      for (const { content } of parts) expect(content).toMatch(/^x*(😀)+$/u);
    }
  });

  test('of one line larger than the budget shows both its ends', () => {
    const preview = previewOf(`start${'x'.repeat(1_000_000)}end`);
    expect(preview.parts).toHaveLength(2);
    expect(preview.parts[0]).toMatchObject({ start_line: 1, end_line: 1 });
    expect(preview.parts[0]!.content).toMatch(/^startx+$/);
    expect(preview.parts[1]!.content).toMatch(/^x+end$/);
    expect(preview).toMatchObject({ truncated: true, returned_lines: 1 });
    expect(preview.returned_bytes).toBe(4096);
  });
});

describe('redrawn lines', () => {
  const frames = Array.from({ length: 101 }, (_, i) => `\r${i} % ${'#'.repeat(i)}`).join('');

  test('count once, as they ended', () => {
    const ended = `100 % ${'#'.repeat(100)}`;
    expect(previewOf(`${frames}\ndone\n`)).toEqual(whole(`${ended}\ndone`, 2));
    expect(previewOf(frames)).toEqual(whole(ended, 1));
  });

  test('of many megabytes still show their last state', () => {
    const text = `begin\n${frames.repeat(500)}\ndone\n`;
    expect(text.length).toBeGreaterThan(2 * SAMPLE_BYTES);
    const { parts } = previewOf(text);
    expect(parts.map(({ content }) => content).join('\n')).toBe(`begin\n100 % ${'#'.repeat(100)}\ndone`);
  });

  test('count with every frame if asked to', () => {
    const preview = previewOf(`${frames}\ndone\n`, { collapseProgress: false });
    expect(preview.truncated).toBe(true);
    expect(preview.parts[0]!.content).toMatch(/^\r0 % \r1 % #\r2 % ##\r/);
  });
});

test('a preview leaves out colours and titles', () => {
  expect(previewOf('\u001b[31mred\u001b[0m\n\u001b]0;title\u0007b\n')).toEqual(whole('red\nb', 2));
});

test('a preview of binary data is empty', () => {
  expect(previewOf('a\0b')).toMatchObject({ parts: [], truncated: true });
});

test('UTF-16 is text, with and without a byte order mark', () => {
  expect(previewOf(Buffer.from('grün\n', 'utf16le')).parts[0]!.content).toBe('grün');
  expect(previewOf(Buffer.from('\uFEFFgrün\n', 'utf16le')).parts[0]!.content).toBe('grün');
});
