import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { stampEnd } from '../../../electron/reader/shapes/line-prefix.ts';
import { shapeOf } from '../../../electron/reader/shapes/shape.ts';
import type { SummaryFacts } from '../../../electron/reader/summary/merge.ts';
import { finishSummary, mergeSummaries, startSummary } from '../../../electron/reader/summary/merge.ts';
import { plainLineScanner } from '../../../electron/reader/summary/scan/line-scanner.ts';
import { summariseBytes } from '../../../electron/reader/summary/summarise.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { isErrorLevel, levelOf } from '../../../shared/text/levels.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { timeIn, UNKNOWN_FORM } from '../../../shared/text/line-time.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

/** For a text that was last written on 2 March 2026. */
const facts = { ...UNKNOWN_FORM, writtenBy: Date.UTC(2026, 2, 2) };

/** A second implementation of the summary: line by line, without regard to speed. */
function plainSummary(bytes: Uint8Array): Partial<SummaryFacts> {
  const latin1 = Buffer.from(bytes).toString('latin1').split('\n');
  if (latin1.at(-1) === '') latin1.pop();
  const texts = latin1.map((line) => lineText(Buffer.from(line, 'latin1').toString('utf8')));
  const levels: Record<string, number> = {};
  const shapes = new Map<string, { count: number; first_line: number }>();
  const errors = new Map<string, { line_number: number; text: string; count?: number }>();
  texts.forEach((text, i) => {
    const level = text.trim() === '' ? null : levelOf(text);
    if (level !== null) levels[level] = (levels[level] ?? 0) + 1;
    if (isErrorLevel(level)) {
      const message = text.slice(stampEnd(Buffer.from(text, 'latin1'), 0, text.length)).replace(/\d+/g, '0');
      const known = errors.get(message);
      if (known) known.count = (known.count ?? 1) + 1;
      else if (errors.size < 64) errors.set(message, { line_number: i + 1, text: clipText(text, 500).text });
    }
    if (text.trim() === '') return;
    const utf8 = Buffer.from(text);
    const codes = shapeOf(utf8, 0, utf8.length).codes.join();
    const known = shapes.get(codes);
    if (known === undefined) shapes.set(codes, { count: 1, first_line: i + 1 });
    else known.count++;
  });
  const times = texts
    .filter((text) => text.trim() !== '')
    .flatMap((text) => {
      const found = timeIn(text, facts);
      return found ? [text.slice(found.from, found.to)] : [];
    });
  const lf = latin1.filter((line, i) => !line.endsWith('\r') && i < newlines(bytes)).length;
  const crlf = newlines(bytes) - lf;
  return {
    total_lines: texts.length,
    line_length_mean:
      texts.length === 0 ? 0 : texts.reduce((sum, text) => sum + text.length, 0) / texts.length,
    line_length_max: texts.reduce((max, text) => Math.max(max, text.length), 0),
    blank_lines: texts.filter((text) => text.trim() === '').length,
    line_ending: lf > 0 ? (crlf > 0 ? 'mixed' : 'lf') : crlf > 0 ? 'crlf' : 'none',
    levels,
    first_timestamp: times[0] ?? null,
    last_timestamp: times.at(-1) ?? null,
    first_errors: [...errors.values()].slice(0, 10),
    shapes: [...shapes.values()]
      .filter(({ first_line }) => saysSomething(texts[first_line - 1]!))
      .sort((a, b) => b.count - a.count || a.first_line - b.first_line)
      .map(({ count, first_line }) => {
        const example = texts[first_line - 1]!;
        const utf8 = Buffer.from(example);
        return { shape: shapeOf(utf8, 0, utf8.length).text, count, first_line, example };
      }),
    shapes_exact: true,
  };
}

function saysSomething(text: string): boolean {
  return Buffer.byteLength(text) > 512 || /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
}

function newlines(bytes: Uint8Array): number {
  return bytes.filter((byte) => byte === 0x0a).length;
}

/** Summarises in stretches that end at the given line ends. */
function inStretches(bytes: Uint8Array, lineEnds: readonly number[]): SummaryFacts {
  const total = startSummary();
  let from = 0;
  let line = 0;
  bytes.forEach((byte, i) => {
    if (byte === 0x0a && lineEnds.includes(++line)) {
      mergeSummaries(total, structuredClone(summariseBytes(bytes.subarray(from, i + 1), { facts })));
      from = i + 1;
    }
  });
  mergeSummaries(total, summariseBytes(bytes.subarray(from), { facts }));
  return finishSummary(total, { maxShapes: 1000 });
}

const ESC = '\x1b';
const words = fc.constantFrom(
  ...[
    'error',
    'ERROR',
    'warn:',
    'INFO',
    'level=warn',
    '"level":"error"',
    '"level":50',
    'TypeError:',
    'the',
    'be',
  ],
  ...[
    '0',
    '7',
    '12',
    '1.5',
    '10.0.0.1',
    '2026-01-13',
    '10:30:00',
    '10:30',
    '13/Jan/2026:10:30:00',
    'Jan',
    'Tue,',
  ],
  ...[
    '2026-01-13T10:30:00.123Z',
    '1768300200',
    '1768300200123',
    '"time":',
    'ts=',
    'x_',
    '_7',
    'I0113',
    'E0113 ',
  ],
  ...['deadbeef', 'ff', 'e5', '0x1f', '550e8400-e29b-41d4-a716-446655440000', '-deaf-', 'worker12', 'v1.2.3'],
  ...[
    '/usr/lib',
    './a',
    'src/a.c',
    'and/or',
    'a/b/c',
    'HTTP/1.1',
    '~/x',
    'http://h/a?b=1',
    'C:\\a\\b',
    '://',
    ':',
  ],
  ...[
    "'x'",
    '"y"',
    '`z`',
    "`w'",
    '‘q’',
    '“r2”',
    'é7',
    "don't",
    '"k":',
    "'level': 'error'",
    '"',
    "'",
    '‘',
    '=',
    ',',
    '(',
    ']',
  ],
  ...[' ', '  ', '\t', '-', '.', '+', '%', '@', '#', '{', '}', '<', '>', '|', '!', '*', '/', '\\', '_'],
  ...[
    'é',
    '漢字',
    '😀',
    '\u00a0',
    '\u3000',
    '\u0085',
    '\ufeff',
    'E/Tag:',
    '<3>',
    'make: *** ',
    'npm ',
    'E   ',
  ],
);
const rare = fc.constantFrom(
  ...[
    `${ESC}[31m`,
    `${ESC}[0m`,
    `${ESC}[K`,
    `${ESC}[2K`,
    '\r',
    '\b',
    '\0',
    '\x7f',
    `${ESC}]0;t\x07`,
    '\x80',
    '\xff',
    '\xc3',
    '\xe2\x80',
  ],
  'x'.repeat(300),
  `${'y'.repeat(250)} 7`,
  '漢'.repeat(170),
);
const line = fc
  .array(fc.oneof({ weight: 12, arbitrary: words }, { weight: 1, arbitrary: rare }), { maxLength: 14 })
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part, isByte(part) ? 'latin1' : 'utf8'))));
/** Lines with varied bytes around the position where their shape is cut. */
const longLine = fc
  .tuple(line, fc.integer({ min: 470, max: 515 }), fc.constantFrom(' ', '/', ','), line, line)
  .map(([first, length, joint, ...rest]) => {
    const filler = Buffer.from(`x${joint}`.repeat(256).slice(0, Math.max(0, length - first.length)));
    return Buffer.concat([first, filler, ...rest]);
  });
const ending = fc.oneof(
  { weight: 6, arbitrary: fc.constant('\n') },
  { weight: 1, arbitrary: fc.constant('\r\n') },
);
const text = fc
  .array(fc.tuple(fc.oneof({ weight: 5, arbitrary: line }, { weight: 1, arbitrary: longLine }), ending), {
    maxLength: 8,
  })
  .chain((lines) => fc.tuple(fc.constant(lines), line))
  .map(([lines, last]) => Buffer.concat([...lines.flatMap(([l, e]) => [l, Buffer.from(e)]), last]));

function isByte(part: string): boolean {
  return part === '\x80' || part === '\xff' || part === '\xc3' || part === '\xe2\x80';
}

describe('the summary of a stream', () => {
  it('equals a plain reading of its lines, however it is cut into stretches', () => {
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 8 })), (bytes, lineEnds) => {
        const summary = inStretches(bytes, lineEnds);
        const plain = plainSummary(bytes);
        // An example may be the beginning of its line.
        for (const [i, shape] of summary.shapes.entries()) {
          expect(plain.shapes?.[i]?.example.startsWith(shape.example)).toBe(true);
          expect(shape.example.length).toBeGreaterThanOrEqual(
            Math.min(100, plain.shapes![i]!.example.length),
          );
          plain.shapes![i]!.example = shape.example;
        }
        expect(summary).toEqual(plain);
      }),
      { numRuns: cases(2000) },
    );
  });

  it('is the same without SIMD', () => {
    fc.assert(
      fc.property(text, (bytes) => {
        expect(summariseBytes(bytes, { facts }, plainLineScanner())).toEqual(
          summariseBytes(bytes, { facts }),
        );
      }),
      { numRuns: cases(500) },
    );
  });

  it('is the same where lines differ in digits alone', () => {
    const lines = [
      ...[
        '<11>x',
        'daemon 0 ERROR x',
        'no 1 error: x',
        'ERROR: 0',
        'x "level":50,',
        'x "level":"30"',
        '{"level":40}',
      ],
      ...['%ASA-3-106014: x', '*%LINK-3-UPDOWN: x', '{"short_message":"x","level":3}', '"PRIORITY":"6",'],
      ...[
        'Mar  1 10:00:00 local0.err x',
        'ts=1768300200 x',
        'x 10:30 x',
        'INFO 1 x',
        'WARN é 1',
        'Jan 13 ff 7',
        'TRACE 1\r',
        '1:M 01 Mar 2026 10:00:00.123 # x',
        '12345:M 01 Mar 2026 10:00:00.123 * x',
        '(2026-03-01 10:00:00): [be[a]] [x] (0x0040): x',
        '1:23:45 e x',
      ],
    ];
    // The fields that told a level are remembered, too.
    const digits = ['9', '', '', '0', '1', '3', '5', '2', '0', '3'];
    for (const shown of lines) {
      const bytes = Buffer.from(digits.map((digit) => `${shown.replace(/\d/g, digit || '$&')}\n`).join(''));
      expect(summariseBytes(bytes, { facts })).toEqual(summariseBytes(bytes, { facts }, plainLineScanner()));
    }
  });

  it('tells lines apart that have one word twice', () => {
    const words = Array.from({ length: 26 }, (_, i) => `${String.fromCharCode(97 + i)}bcdefg`);
    const { shapes } = summariseBytes(Buffer.from(words.map((word) => `${word} ${word}\n`).join('')));
    expect(shapes.counts).toHaveLength(26);
  });

  it('hashes the shape of each line as the plain way does', () => {
    fc.assert(
      fc.property(fc.oneof(line, longLine), (bytes) => {
        const raw = Buffer.from(bytes.filter((byte) => byte !== 0x0a));
        const utf8 = Buffer.from(lineText(raw.toString('utf8')));
        const { shapes } = summariseBytes(Buffer.concat([raw, Buffer.from('\n')]));
        const isBlank = utf8.toString().trim() === '';
        expect([...shapes.hashes]).toEqual(isBlank ? [] : shapeOf(utf8, 0, utf8.length).hash);
      }),
      { numRuns: cases(3000) },
    );
  });

  it('reads paths as the plain way does, whatever their words are', () => {
    const words = 'usr b.c ERROR level 3.11 10:30:00 13/Jan ‘a:b’ .. +FATAL.. 1768300200'.split(' ');
    const word = fc.constantFrom(...words, 'x'.repeat(70));
    const between = fc.constantFrom('/', '/', '/', ' ', '.', '-', ': ', '://', '"');
    const paths = fc.array(fc.tuple(word, between), { maxLength: 40 }).map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(paths, (text) => {
        const bytes = Buffer.from(`${text}\n`);
        expect(summariseBytes(bytes, { facts })).toEqual(
          summariseBytes(bytes, { facts }, plainLineScanner()),
        );
      }),
      { numRuns: cases(2000) },
    );
  });

  it('takes the same for quoted as the plain way does, wherever its quotes are', () => {
    const character = fc.constantFrom(...'aB7_ \t"\'`:,/é\x7f'.split(''), 'word', 'a long piece of text');
    const quoted = fc.array(character, { maxLength: 40 }).map((each) => each.join(''));
    fc.assert(
      fc.property(quoted, (text) => {
        const shown = lineText(text);
        const line = Buffer.from(`${shown}\n`);
        const isBlank = shown.trim() === '';
        const shape = shapeOf(line, 0, line.length - 1).hash;
        expect([...summariseBytes(line).shapes.hashes]).toEqual(isBlank ? [] : shape);
      }),
      { numRuns: cases(5000) },
    );
  });
});
