import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import { openStream } from '../../../electron/reader/bytes/streams.ts';
import { BLOCK_BYTES } from '../../../electron/reader/lines/block-index.ts';
import type { Cut } from '../../../electron/reader/lines/stretches.ts';
import type { SummaryFacts } from '../../../electron/reader/summary/merge.ts';
import { finishSummary, mergeSummaries, startSummary } from '../../../electron/reader/summary/merge.ts';
import { summariseBytes, summariseStretch } from '../../../electron/reader/summary/summarise.ts';
import { NO_FACTS } from '../../../shared/text/line-time.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

function summaryOf(bytes: Uint8Array, options = {}): SummaryFacts {
  const total = startSummary();
  mergeSummaries(total, summariseBytes(bytes, { atStart: true, ...options }));
  return finishSummary(total, { maxShapes: 10 });
}

/** Cuts a stream as a host does: anywhere, noting whether a stretch begins or ends within a line. */
function inPieces(bytes: Uint8Array, cuts: readonly number[]): SummaryFacts {
  const total = startSummary();
  const edges = [...new Set([0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length])].sort(
    (a, b) => a - b,
  );
  for (let i = 1; i < edges.length; i++) {
    const from = edges[i - 1]!;
    const to = edges[i]!;
    const options = {
      atStart: from === 0,
      continued: from > 0 && bytes[from - 1] !== 0x0a,
      continues: to < bytes.length && bytes[to - 1] !== 0x0a,
    };
    mergeSummaries(total, structuredClone(summariseBytes(bytes.subarray(from, to), options)));
  }
  return finishSummary(total, { maxShapes: 10 });
}

it('a returned piece of a long line is a copy: transferring it leaves the read buffer usable', () => {
  const text = Buffer.from('\rdrawn again'.repeat(10_000));
  const source = openStream({ type: 'bytes', bytes: text, size: text.length });
  const cut = { block: 1, at: 'block' } as const;
  const summarised = (start: Cut | null) =>
    summariseStretch(source, decoderFor('utf-8'), { stretch: { start, end: cut }, facts: NO_FACTS });
  const { end } = summarised(null).tail!;
  expect(Buffer.compare(end, text.subarray(0, BLOCK_BYTES))).toBe(0);
  // A worker transfers its answer like this.
  structuredClone(end, { transfer: [end.buffer as ArrayBuffer] });
  expect(summarised(cut).bytes).toBe(0);
});

describe('a summary', () => {
  it('of nothing has no lines', () => {
    expect(summaryOf(new Uint8Array())).toEqual({
      total_lines: 0,
      line_length_mean: 0,
      line_length_max: 0,
      blank_lines: 0,
      line_ending: 'none',
      levels: {},
      first_timestamp: null,
      last_timestamp: null,
      first_errors: [],
      shapes: [],
      shapes_exact: true,
    });
  });

  it('counts a last line without its ending, and none after the last ending', () => {
    expect(summaryOf(Buffer.from('a\nb'))).toMatchObject({ total_lines: 2, line_ending: 'lf' });
    expect(summaryOf(Buffer.from('a\nb\n'))).toMatchObject({ total_lines: 2 });
    expect(summaryOf(Buffer.from('\n'))).toMatchObject({ total_lines: 1, blank_lines: 1 });
    expect(summaryOf(Buffer.from('x'))).toMatchObject({
      total_lines: 1,
      line_ending: 'none',
      line_length_max: 1,
    });
  });

  it('tells line endings apart', () => {
    expect(summaryOf(Buffer.from('a\r\nb\r\n')).line_ending).toBe('crlf');
    expect(summaryOf(Buffer.from('a\r\nb\n')).line_ending).toBe('mixed');
    expect(summaryOf(Buffer.from('10%\r20%\n')).line_ending).toBe('lf');
  });

  it('counts lines as a person sees them', () => {
    const bytes = Buffer.from('\x1b[31mERROR\x1b[0m x\n10%\r20%\r100%\n\x1b[K\r\n \u00a0\t\nnaïve 😀\n');
    expect(summaryOf(bytes)).toMatchObject({
      total_lines: 5,
      line_length_max: 8,
      line_length_mean: (7 + 4 + 0 + 3 + 8) / 5,
      blank_lines: 2,
      levels: { error: 1 },
      first_errors: [{ line_number: 1, text: 'ERROR x' }],
    });
  });

  it('lists the first ten errors, across stretches, with their numbers', () => {
    const line = (i: number) => (i % 3 === 0 ? `FATAL ${'x'.repeat(i)}\n` : `ok ${i}\n`);
    const bytes = Buffer.from(Array.from({ length: 60 }, (_, i) => line(i)).join(''));
    const summary = inPieces(bytes, [
      bytes.indexOf('FATAL xxxxxxxxx\n'),
      bytes.indexOf('ok 11'),
      bytes.indexOf('ok 31'),
    ]);
    expect(summary.levels).toEqual({ fatal: 20 });
    expect(summary.first_errors).toEqual(
      Array.from({ length: 10 }, (_, i) => ({ line_number: 3 * i + 1, text: `FATAL ${'x'.repeat(3 * i)}` })),
    );
  });

  it('lists equal errors once, with their count, whatever their time and numbers', () => {
    const line = (i: number) =>
      `2026-03-01T10:00:${10 + i}Z ERROR no ${['file', 'disk'][i % 2]} in ${i} ms\n`;
    const bytes = Buffer.from(Array.from({ length: 30 }, (_, i) => line(i)).join(''));
    expect(
      inPieces(
        bytes,
        [10, 17].map((i) => bytes.indexOf(line(i))),
      ).first_errors,
    ).toEqual([
      { line_number: 1, text: line(0).trim(), count: 15 },
      { line_number: 2, text: line(1).trim(), count: 15 },
    ]);
  });

  it('clips the text of an error to 500 characters, whole ones', () => {
    const summary = summaryOf(Buffer.from(`ERROR ${'😀'.repeat(400)}\n`));
    expect(summary.first_errors[0]!.text).toBe(`ERROR ${'😀'.repeat(247)}`);
  });

  it('reads other encodings, and does not take a byte order mark for text', () => {
    const text = '2026-01-13 10:30:00 ERROR größe 😀\nzwei\n';
    const expected = { ...summaryOf(Buffer.from(text)) };
    expect(summaryOf(Buffer.from(`\ufeff${text}`))).toEqual(expected);
    expect(summaryOf(Buffer.from(`\ufeff${text}`, 'utf16le'), { encoding: 'utf-16le' })).toEqual(expected);
    const latin = Buffer.from('größe\n', 'latin1');
    expect(summaryOf(latin, { encoding: 'windows-1252' })).toMatchObject({ line_length_max: 5 });
    expect(() => summaryOf(latin, { encoding: 'no-such' })).toThrow('unknown encoding');
  });

  it('counts a replacement character for each piece of invalid UTF-8', () => {
    const bytes = Buffer.from([0x61, 0xff, 0xfe, 0xe2, 0x80, 0x62, 0x0a]);
    expect(summaryOf(bytes).line_length_max).toBe(bytes.toString('utf8').length - 1);
  });

  it('is the same wherever the stream is cut, even within lines and characters', () => {
    const part = fc.constantFrom(
      'ERROR: x\n',
      'plain\r\n',
      '\n',
      ' ',
      'é',
      '漢',
      '😀',
      'level=info ',
      '\r\n',
      'tail',
      'progress 10%\r',
      '\rdone',
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.array(fc.nat(80), { maxLength: 5 }),
        (parts, cuts) => {
          const bytes = Buffer.from(parts.join(''));
          // Besides its length, a cut line is judged by its first part: see below.
          const { levels, shapes, shapes_exact, first_errors, ...counts } = inPieces(bytes, cuts);
          expect(summaryOf(bytes)).toMatchObject(counts);
        },
      ),
      { numRuns: cases(2000) },
    );
  });

  it('classifies a line cut into parts by its beginning', () => {
    const bytes = Buffer.from(`one\n2026-01-13 10:30:00 ERROR ${'x'.repeat(1000)}\nthree\n`);
    const summary = inPieces(bytes, [600, 900]);
    expect(summary).toMatchObject({
      total_lines: 3,
      line_length_max: 1026,
      levels: { error: 1 },
      first_timestamp: '2026-01-13 10:30:00',
    });
    expect(summary.first_errors[0]!.line_number).toBe(2);
    expect(summary.shapes.find((shape) => shape.first_line === 2)!.shape).toBe('<time> ERROR …');
  });

  it('is bounded for lines of megabytes, with and without controls', () => {
    const plain = Buffer.alloc(6 << 20, 'abc ');
    expect(summaryOf(plain)).toMatchObject({ total_lines: 1, line_length_max: 6 << 20 });
    const frame = 'progress 10%\r';
    const redrawn = Buffer.from(frame.repeat(Math.ceil((5 << 20) / frame.length)));
    expect(summaryOf(redrawn).line_length_max).toBeLessThan(100);
    const coloured = Buffer.alloc(5 << 20, '\x1b[31mab');
    expect(summaryOf(coloured).line_length_max).toBeGreaterThan((5 << 20) / 7);
    const cr = Buffer.alloc(5 << 20, '\r');
    expect(summaryOf(cr)).toMatchObject({ total_lines: 1, line_length_max: 0, blank_lines: 1 });
  });

  it('measures a redrawn line of megabytes as it is shown, wherever it is cut', () => {
    // The shown text begins behind the first carriage return of the last 4 MiB; earlier frames are longer.
    const bytes = Buffer.from(`${'a much longer frame\r'.repeat(100_000)}${'10%\r'.repeat(1_200_000)}100%\n`);
    const whole = summaryOf(bytes);
    expect(whole).toMatchObject({ total_lines: 1, line_length_max: 4 });
    for (const cuts of [[3_000_000], [1 << 20, 2 << 20, 6 << 20], [bytes.length - 1], [bytes.length - 6]]) {
      expect(inPieces(bytes, cuts)).toMatchObject({ total_lines: 1, line_length_max: 4 });
    }
  });

  it('does not grow with the number of different lines', () => {
    const lines = Array.from({ length: 80_000 }, (_, i) => `${word(i)} ${word(i * 7)}\ncommon line\n`).join(
      '',
    );
    const partial = summariseBytes(Buffer.from(lines));
    expect(partial.shapes.exact).toBe(false);
    expect(partial.shapes.counts.length).toBeLessThanOrEqual(16 * 1024);
    const total = startSummary();
    mergeSummaries(total, partial);
    const summary = finishSummary(total, { maxShapes: 1 });
    expect(summary.shapes_exact).toBe(false);
    expect(summary.shapes).toEqual([
      { shape: 'common line', count: 80_000, first_line: 2, example: 'common line' },
    ]);
  });
});

/** Returns a different word of letters for each number. */
function word(n: number): string {
  return n.toString(2).replaceAll('0', 'o').replaceAll('1', 'l');
}
