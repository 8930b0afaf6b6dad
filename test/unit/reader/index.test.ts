import { describe, expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import {
  BLOCK_BYTES,
  BlockIndex,
  countStretch,
  SEAMS_BYTES,
} from '../../../electron/reader/lines/block-index.ts';
import { CONTROLS, UNKNOWN_BYTE } from '../../../electron/reader/lines/controls.ts';
import { CURSOR_BYTES, LineCursor } from '../../../electron/reader/lines/line-cursor.ts';
import { lineAt, lineStart, tailStart, totalLines } from '../../../electron/reader/lines/line-positions.ts';
import fc from '../../fixtures/fast-check.ts';
import { indexed, plainBlock, sourceOf } from '../../fixtures/reader/indexed.ts';
import { cases } from '../../fixtures/sizes.ts';

/** Texts of several blocks, in which lines of very different lengths meet. */
const text = fc
  .array(
    fc.tuple(fc.constantFrom(0, 1, 3, 80, 700, 40_000, BLOCK_BYTES - 1, BLOCK_BYTES, 150_000), fc.boolean()),
    {
      maxLength: 12,
    },
  )
  .map((lines) => Buffer.from(lines.map(([length, end]) => 'x'.repeat(length) + (end ? '\n' : '')).join('')));
const stretches = fc.array(fc.constantFrom(1, 2, 17, 4096, BLOCK_BYTES, 100_000, 1_000_000), {
  minLength: 1,
  maxLength: 4,
});

function startsOf(bytes: Buffer): number[] {
  const starts = bytes.length > 0 ? [0] : [];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1))
    if (at + 1 < bytes.length) starts.push(at + 1);
  return starts;
}

/** The bytes before and behind each colour. */
function seamsOf(bytes: Buffer): Set<number> {
  const colours = bytes.toString('latin1').matchAll(/\x1b\[(?:[0-9:;]{0,32}m|K)/g);
  const at = (place: number) => bytes[place] ?? UNKNOWN_BYTE;
  return new Set(
    [...colours].map(({ index, 0: colour }) => (at(index - 1) << 8) | at(index + colour.length)),
  );
}

describe('the line index', () => {
  it('knows the start of every line and the line of every byte, however the file grew', () => {
    fc.assert(
      fc.property(text, stretches, (bytes, sizes) => {
        const tiny = bytes.length > 5000 ? sizes.map((size) => Math.max(size, 4096)) : sizes;
        const index = indexed(bytes, tiny);
        const starts = startsOf(bytes);
        expect(totalLines(index, sourceOf(bytes), 'byte')).toBe(starts.length);
        for (const [i, start] of starts.entries()) {
          expect(lineStart(sourceOf(bytes), index, 'byte', i + 1)).toBe(start);
          expect(lineAt(sourceOf(bytes), index, 'byte', start)).toBe(i + 1);
          const end = (starts[i + 1] ?? bytes.length) - 1;
          expect(lineAt(sourceOf(bytes), index, 'byte', end)).toBe(i + 1);
        }
      }),
      { numRuns: cases(120) },
    );
  });

  it('can be read in another thread after it was posted, undisturbed by later growth', () => {
    const bytes = Buffer.from('a\n'.repeat(100_000));
    const index = indexed(bytes.subarray(0, 150_001), [1_000_000]);
    const posted = new BlockIndex(structuredClone(index.handle()));
    const before = [posted.indexedBytes, posted.newlines, posted.before(1), posted.before(2)];
    index.append(plainBlock(1), index.indexedBytes + 1);
    expect([posted.indexedBytes, posted.newlines, posted.before(1), posted.before(2)]).toEqual(before);
    expect(lineStart(sourceOf(bytes), posted, 'byte', 70_000)).toBe(2 * 69_999);
  });

  it('knows which blocks may hold controls, however the file grew', () => {
    const parts = [
      'x\n',
      'x',
      '\r\n',
      '\t',
      '\x1b[m',
      '\x1b[1;31m',
      '\x1b[2K',
      'é',
      '\u00a0',
      '\u0085',
      '\r',
    ];
    const lines = fc.array(fc.tuple(fc.constantFrom(...parts), fc.constantFrom(1, 700, BLOCK_BYTES - 1)), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(lines, stretches, (wanted, sizes) => {
        const text = wanted.map(([part, length]) => part + 'x'.repeat(length)).join('');
        const bytes = Buffer.from(text);
        const tiny = bytes.length > 5000 ? sizes.map((size) => Math.max(size, 4096)) : sizes;
        const index = indexed(bytes, tiny);
        for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
          const end = Math.min(bytes.length, start + BLOCK_BYTES);
          // The two bytes of a C1 control may lie on both sides of the border.
          const block = bytes.subarray(start, end + 1).toString('latin1');
          const own = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(block.slice(0, end - start));
          const held = index.controlsIn(start, end);
          if (own || /\r(?!\n|$)|\xc2[\x80-\x9f]/.test(block)) expect(held).not.toBe(CONTROLS.none);
          else if (!/[\r\xc2]/.test(block)) expect(held).toBe(CONTROLS.none);
          const begun = bytes.subarray(start, end + 10).toString('latin1');
          const odd = /\x1b\[2K|\r(?!\n|$)|\xc2\x85/.exec(begun);
          if (odd && odd.index < end - start) expect(held).toBe(CONTROLS.others);
        }
      }),
      { numRuns: cases(400) },
    );
    const crlf = Buffer.from('some text, a line\r\n'.repeat(20_000));
    expect(indexed(crlf).controlsIn(0, crlf.length)).toBe(CONTROLS.none);
    const coloured = Buffer.from('a \x1b[1;33mcoloured\x1b[K\x1b[0m text\r\n'.repeat(20_000));
    expect(indexed(coloured).controlsIn(0, coloured.length)).toBe(CONTROLS.colours);
    expect(indexed(Buffer.from('a\r')).controlsIn(0, 2)).toBe(CONTROLS.others);
    expect(indexed(Buffer.from('a\x1b[3')).controlsIn(0, 4)).toBe(CONTROLS.others);
    expect(new BlockIndex().controlsIn(0, 1)).toBe(CONTROLS.others);
  });

  it('knows what is on both sides of colours, however the file grew', () => {
    const parts = [
      'x',
      'é',
      '\n',
      'plain '.repeat(40),
      '\x1b[m',
      '\x1b[1;31m',
      `\x1b[${'1;'.repeat(16)}m`,
      '\x1b[K',
    ];
    const texts = fc.array(fc.constantFrom(...parts), { maxLength: 60 });
    fc.assert(
      fc.property(texts, stretches, fc.integer({ min: 0, max: 80 }), (some, sizes, before) => {
        // The second half of these texts is behind the first seams of the index.
        const long = before > 60 ? 'l'.repeat(SEAMS_BYTES - before) : '';
        const bytes = Buffer.from(long + some.join(''));
        const grown = indexed(bytes, long ? sizes.map((size) => Math.max(size, 65_000)) : sizes);
        if (grown.controlsIn(0, bytes.length) === CONTROLS.others) return;
        const met = [...grown.seamsIn(0, bytes.length)!];
        for (const seam of seamsOf(bytes)) {
          const [first, second] = [seam >> 8, seam & 0xff];
          const same = (a: number, b: number) => a === b || a === UNKNOWN_BYTE;
          expect(met.some((one) => same(one >> 8, first) && same(one & 0xff, second))).toBe(true);
        }
      }),
      { numRuns: cases(600) },
    );
    const bytes = Buffer.from('a \x1b[1;33mcoloured\x1b[K\x1b[0m text\n'.repeat(50_000));
    expect(indexed(bytes).seamsIn(0, bytes.length)).toEqual(seamsOf(bytes));
    expect(indexed(bytes).seamsIn(SEAMS_BYTES, bytes.length)).toEqual(seamsOf(bytes));
  });

  it('knows what is behind the longest colour, even if that begins with the last byte that is read at once', () => {
    const colour = `\x1b[${'1'.repeat(32)}m`;
    const bytes = Buffer.from(`${'x'.repeat(SEAMS_BYTES - 1)}${colour}y\n`);
    expect(indexed(bytes).seamsIn(0, bytes.length)).toEqual(seamsOf(bytes));
  });

  it('is made of counts of which each can be posted alone', () => {
    const counts = () => countStretch(sourceOf(Buffer.from('a\nb\n')), 0, 4, 'byte');
    const [first, second] = [counts(), counts()];
    structuredClone(first, { transfer: first.seams.map(({ buffer }) => buffer as ArrayBuffer) });
    const index = new BlockIndex();
    index.append(second, 4);
    expect([index.newlines, index.seamsIn(0, 4)]).toEqual([2, new Set()]);
  });

  it('says that it does not know the seams of text that has too many', () => {
    const lines = Array.from(
      { length: 200 },
      (_, i) => `${String.fromCharCode(0x21 + (i % 90))}\x1b[m${i % 7}\n`,
    );
    const bytes = Buffer.from(lines.join(''));
    expect(seamsOf(bytes).size).toBeGreaterThan(127);
    expect(indexed(bytes).seamsIn(0, bytes.length)).toBeNull();
    expect(indexed(bytes, [1000]).seamsIn(0, bytes.length)).toBeNull();
  });

  it('counts UTF-16 line ends that are split between two reads of a growing file', () => {
    const bytes = Buffer.from('\ufeffone\n\u0a00two\nthree', 'utf16le');
    for (const size of [1, 3, 5, 7]) {
      const index = indexed(bytes, [size], 'utf16le');
      expect(totalLines(index, sourceOf(bytes), 'utf16le')).toBe(3);
      expect(lineStart(sourceOf(bytes), index, 'utf16le', 3)).toBe(bytes.length - 10);
    }
  });
});

describe('reading lines one after the other', () => {
  it('gives every line with its place and length, with and without the index, whatever the buffer', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(undefined, 64, 1000, 65_536, 262_144),
        fc.boolean(),
        (bytes, buffer, useIndex) => {
          const index = indexed(bytes, [1_000_000]);
          const cursor = new LineCursor(
            sourceOf(bytes),
            'byte',
            { position: 0, number: 1 },
            useIndex ? index : null,
            buffer === undefined ? undefined : Buffer.alloc(buffer),
          );
          const starts = startsOf(bytes);
          for (const [i, start] of starts.entries()) {
            const line = cursor.next();
            const end = starts[i + 1] ?? bytes.length;
            const length = end - start - (bytes[end - 1] === 10 ? 1 : 0);
            expect([line?.number, line?.offset, line?.bytes]).toEqual([i + 1, start, length]);
            expect(line!.head.length).toBe(Math.min(length, buffer ?? CURSOR_BYTES));
          }
          expect(cursor.next()).toBeNull();
        },
      ),
      { numRuns: cases(120) },
    );
  });

  it('finds the tail backwards, without an index', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 8 }), (bytes, count) => {
        const starts = startsOf(bytes);
        expect(tailStart(sourceOf(bytes), 'byte', count)).toBe(
          starts[Math.max(0, starts.length - count)] ?? 0,
        );
      }),
      { numRuns: cases(200) },
    );
  });
});

describe('decoding', () => {
  it('leaves out an unfinished character at the end if asked to, and never keeps it for the next call', () => {
    const decoder = decoderFor('utf-8');
    expect(decoder.decode(Buffer.from('aé').subarray(0, 2), true)).toBe('a');
    expect(decoder.decode(Buffer.from('b'), true)).toBe('b');
  });
});
