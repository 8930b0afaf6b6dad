import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost } from '../../electron/host/create.ts';
import type { Host } from '../../electron/host/host.ts';
import { lineText } from '../../shared/text/line-text.ts';
import type { ByteWindow, LinesView } from '../../shared/views.ts';
import fc from '../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { controlFiles, gzipForms, oddFiles } from '../fixtures/reader/odd-files.ts';
import { hasPython, hasTools, Python, printed } from '../fixtures/reader/oracle.ts';
import { cases, isOnTurn } from '../fixtures/sizes.ts';

const folder = makeFolder();
let host: Host;
let python: Python;
let files = 0;

function file(bytes: Uint8Array): string {
  files += 1;
  const path = join(folder, `file-${files}`);
  writeFileSync(path, bytes);
  return path;
}

const range = (path: string, first: number, last: number, more: object = {}) =>
  host.inspect({
    file_path: path,
    mode: 'range',
    start_line: first,
    end_line: last,
    raw: true,
    as_text: true,
    // Python reads it so, and what is random may look like another.
    encoding: 'utf-8',
    ...more,
  }) as Promise<LinesView>;

/** Python's lines as a view shows them when asked for `raw`: clipped, and without a byte order mark. */
function shown(line: string, number: number): string {
  const text = number === 1 && line.startsWith('\ufeff') ? line.slice(1) : line;
  return text.length > 2000 ? text.slice(0, 2000) : text;
}

beforeAll(async () => {
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
  if (hasPython) python = new Python();
});
afterAll(async () => {
  await host.close();
  python?.close();
  removeFolder(folder);
});

/** Generates lines with what goes wrong in files: line ends, halves of characters, escapes, NULs. */
const oddBytes = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => Buffer.from(text)),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom('\n', '\r\n', '\n\n', ' ', '\t').map((text) => Buffer.from(text)),
      },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 70_000 }).map((n) => Buffer.alloc(n, 'x')) },
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.concat(parts))
  // Two of these first bytes say that it is UTF-16, which has a test of its own.
  .filter((bytes) => bytes[0] !== 0xff && bytes[0] !== 0xfe);

describe.skipIf(!hasPython)('Python agrees', () => {
  async function compare(path: string, first: number, last: number): Promise<void> {
    const expected = await python.ask({ path, first, last });
    const view = await range(path, first, last);
    expect(view.total_lines).toBe(expected.total_lines);
    expect(view.total_bytes).toBe(expected.total_bytes);
    expect(view.content).toBe(expected.lines.map((line, i) => shown(line, first + i)).join('\n'));
    expect(view.lines_shown).toBe(expected.lines.length);
    expect(view.start_line).toBe(expected.lines.length > 0 ? first : null);
    expect(view.end_line).toBe(expected.lines.length > 0 ? first + expected.lines.length - 1 : null);
    if (expected.lines.length > 0) expect(view.start_offset).toBe(expected.offset);
    expect(view.clipped_lines).toBe(
      expected.lines.filter((line) => line.replace(/^\ufeff/, '').length > 2000).length,
    );
    const plain = await range(path, first, last, { raw: false });
    expect(plain.content.split('\n').length).toBe(Math.max(1, expected.lines.length));
    if (expected.lines.every((line) => line.length < 60_000)) {
      expect(plain.content).toBe(
        expected.lines
          .map((line, i) => [...segments(lineText(unmarked(line, first + i)))].join(''))
          .join('\n'),
      );
    }
  }
  const unmarked = (line: string, number: number) => (number === 1 ? line.replace(/^\ufeff/, '') : line);
  /** At most 2000 UTF-16 units of whole graphemes. */
  function* segments(text: string): Generator<string> {
    if (text.length <= 2000) return yield text;
    let length = 0;
    for (const { segment } of new Intl.Segmenter().segment(text)) {
      length += segment.length;
      if (length > 2000) return;
      yield segment;
    }
  }

  for (const [name, bytes] of Object.entries({ ...oddFiles, ...controlFiles })) {
    it(`on ranges of: ${name}`, async () => {
      const path = file(bytes);
      const { total_lines: total } = await python.ask({ path });
      for (const first of new Set([
        1,
        2,
        3,
        Math.ceil(total / 2),
        total - 1,
        total,
        total + 1,
        total + 1000,
      ])) {
        if (first < 1) continue;
        for (const count of [1, 2, 50, 1999].filter((_, i) => isOnTurn(i, 2)))
          await compare(path, first, first + count - 1);
      }
    });
  }

  it('on ranges of generated files', async () => {
    await fc.assert(
      fc.asyncProperty(
        oddBytes,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 12 }),
        async (bytes, first, more) => {
          await compare(file(bytes), first, first + more);
        },
      ),
      { numRuns: cases(300) },
    );
  });

  it('on byte windows: no character is split, nothing is left out between one window and the next', async () => {
    await fc.assert(
      fc.asyncProperty(oddBytes, fc.constantFrom(1, 2, 3, 7, 100, 4096, 40_000), async (bytes, limit) => {
        const path = file(bytes);
        let offset: number | null = 0;
        let text = '';
        for (let windows = 0; offset !== null && windows < 30; windows += 1) {
          const view: ByteWindow = await host.read({
            file_path: path,
            offset,
            limit,
            as_text: true,
            encoding: 'utf-8',
          });
          const end: number = view.next_offset ?? bytes.length;
          expect(view.offset).toBe(offset);
          if (end > offset) {
            const expected = await python.ask({ path, offset, end });
            expect(view.content).toBe(expected.window);
            expect(view.start_line).toBe(expected.line);
          }
          expect(end - offset).toBeLessThanOrEqual(Math.max(limit, 4));
          expect(view.bytes_shown).toBe(end - offset);
          text += view.content;
          offset = view.next_offset;
        }
        if (offset === null) expect(text).toBe(bytes.toString('utf8'));
      }),
      { numRuns: cases(120) },
    );
  });

  it('on UTF-16 with a byte order mark, lines and windows', async () => {
    const text = 'first\r\n日本\u0a0a\u000d語 😀\n\nlast';
    for (const [encoding, bytes] of [
      ['utf-16-le', Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['utf-16-be', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ] as const) {
      const path = file(bytes);
      const view = await range(path, 1, 10, { raw: false, encoding: undefined });
      expect(view.content).toBe(['first', lineText('日本\u0a0a\r語 😀'), '', 'last'].join('\n'));
      expect([view.total_lines, view.total_bytes]).toEqual([4, bytes.length]);
      expect(view.encoding).toBe(encoding.replace('16-', '16'));
      let read = '';
      for (let offset: number | null = 0; offset !== null; ) {
        const window: ByteWindow = await host.read({ file_path: path, offset, limit: 3 });
        read += window.content;
        offset = window.next_offset;
      }
      expect(read).toBe(text);
    }
  });
});

describe.skipIf(!hasTools)('wc, sed, head and tail agree', () => {
  const withFinalEnd = (content: string, shownLines: number) => (shownLines > 0 ? `${content}\n` : '');
  /** The tool's output as a raw view shows it. A view leaves out the last line's end. */
  const asView = (output: Buffer) => {
    const lines = output.toString().split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines
      .map((line) => shown(line.startsWith('\ufeff') ? line.slice(1) : line, 2))
      .map((line) => `${line}\n`)
      .join('');
  };

  for (const [name, bytes] of Object.entries({ ...oddFiles, ...controlFiles })) {
    it(`on: ${name}`, async () => {
      const path = file(bytes);
      const newlines = Number(printed('wc', '-l', path).toString().trim().split(/\s+/)[0]);
      const unended = bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0;
      for (const lines of [1, 2, 10, 50, 1000].filter((_, i) => isOnTurn(i, 2))) {
        const common = { file_path: path, lines, raw: true, as_text: true, encoding: 'utf-8' };
        const head = (await host.inspect({ ...common, mode: 'head' })) as LinesView;
        const tail = (await host.inspect({ ...common, mode: 'tail' })) as LinesView;
        expect(head.total_lines).toBe(newlines + unended);
        expect(withFinalEnd(head.content, head.lines_shown)).toBe(
          asView(printed('head', '-n', String(lines), path)),
        );
        expect(withFinalEnd(tail.content, tail.lines_shown)).toBe(
          asView(printed('tail', '-n', String(lines), path)),
        );
        const middle = Math.max(1, Math.floor(newlines / 3));
        const part = await range(path, middle, middle + lines - 1);
        const sed = printed('sed', '-n', `${middle},${middle + lines - 1}p`, path);
        expect(withFinalEnd(part.content, part.lines_shown)).toBe(asView(sed));
      }
    });
  }
});

describe('compressed files', () => {
  it('read as their text reads, however they were compressed', async () => {
    for (const name of [
      'numbers',
      'no last line end',
      'crlf',
      'many short lines',
      'one long line',
      'empty',
    ]) {
      const text = oddFiles[name]!;
      const plain = (await range(file(text), 1, 40)) as LinesView;
      const plainEnd = (await host.inspect({ file_path: file(text), mode: 'tail' })) as LinesView;
      for (const [form, bytes] of Object.entries(gzipForms(text))) {
        const path = file(bytes);
        const view = await range(path, 1, 40);
        const end = (await host.inspect({ file_path: path, mode: 'tail' })) as LinesView;
        expect([form, view.content, view.total_lines, view.total_bytes]).toEqual([
          form,
          plain.content,
          plain.total_lines,
          plain.total_bytes,
        ]);
        expect(end.content).toBe(plainEnd.content);
      }
    }
  });
});
