/** The byte window with `search`: CONTRACT 5. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { ByteWindow } from '../../../shared/views.ts';
import fc from '../../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { linesOf, type Stream, stream } from '../../fixtures/search/texts.ts';
import { cases } from '../../fixtures/sizes.ts';

const folder = makeFolder();
let host: Host;
let files = 0;

beforeAll(async () => {
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
});
afterAll(async () => {
  await host.close();
  removeFolder(folder);
});

function file(content: string | Buffer): string {
  files += 1;
  const path = join(folder, `file-${files}`);
  writeFileSync(path, content);
  return path;
}
const read = async (path: string, search: string, more: object = {}) =>
  ByteWindow.parse(await host.read({ file_path: path, search, as_text: true, ...more }));

/** Where each line begins, in bytes. */
function starts({ bytes, encoding }: Stream): number[] {
  const unit = encoding === 'utf-8' ? 1 : 2;
  const found = [0];
  for (let at = 0; at + unit <= bytes.length; at += unit) {
    const code =
      unit === 1 ? bytes[at] : encoding === 'utf-16le' ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
    if (code === 10) found.push(at + unit);
  }
  return found;
}

it('from any offset on, window after window, gives every matching line once, within the limit', async () => {
  const patterns = fc.constantFrom('a', 'é|b', '^$', 'error', '(', '[x]', '\\w+', '日');
  await fc.assert(
    fc.asyncProperty(
      stream,
      patterns,
      fc.nat(400),
      fc.integer({ min: 12, max: 90 }),
      async (given, search, from, limit) => {
        const path = file(given.bytes);
        const expression = search === '(' ? /\(/ : new RegExp(search, 'i');
        const offset = Math.min(from, given.bytes.length);
        const first = starts(given).filter((start) => start <= offset).length;
        const lines = linesOf(given).map((line) => lineText(line));
        const all = lines.flatMap((line, i) => (expression.test(line) ? [i + 1] : []));
        const wanted = offset === given.bytes.length ? [] : all.filter((line) => line >= first);
        const shown: string[] = [];
        for (let next: number | null = offset, windows = 0; next !== null; windows += 1) {
          const window: ByteWindow = await read(path, search, { offset: next, limit });
          expect(window.match_count).toBe(all.length);
          expect(windows).toBeLessThanOrEqual(wanted.length);
          // At least something of one line is given.
          if (window.lines_shown > 1 || window.clipped_lines > 0)
            expect(Buffer.byteLength(window.content)).toBeLessThanOrEqual(Math.max(limit, 12));
          if (window.lines_shown > 0) {
            expect(window.start_offset).toBe(starts(given)[window.start_line! - 1]);
            shown.push(...window.content.split('\n'));
            expect(window.end_line).toBe(wanted[shown.length - 1]);
          }
          next = window.next_offset;
        }
        expect(shown.map((line) => Number(/^\d+/.exec(line)![0]))).toEqual(wanted);
        for (const [i, line] of shown.entries()) {
          const whole = `${wanted[i]}:${lines[wanted[i]! - 1]}`;
          expect(whole.startsWith(line), `${line} of ${whole}`).toBe(true);
          if (Buffer.byteLength(whole) <= limit) expect(line).toBe(whole);
        }
      },
    ),
    { numRuns: cases(600) },
  );
});

it('has a word to say about what is no expression', async () => {
  const path = file('f(x)\nfx\n');
  const window = await read(path, 'f(x');
  expect(window).toMatchObject({
    content: '1:f(x)',
    match_count: 1,
    note: expect.stringMatching(/taken literally/),
  });
  expect((await read(path, 'f\\(x')).note).toBeUndefined();
});

it('an offset outside the stream is an error with the size in it; the offset of its end is allowed', async () => {
  const path = file('one\ntwo\n');
  await expect(read(path, 'o', { offset: 9 })).rejects.toThrow(/8 bytes/);
  await expect(read(path, 'o', { offset: -1 })).rejects.toThrow(/8 bytes/);
  expect(await read(path, 'o', { offset: 8 })).toMatchObject({
    content: '',
    lines_shown: 0,
    next_offset: null,
    match_count: 2,
  });
  expect(await read(file(''), 'o')).toMatchObject({
    content: '',
    match_count: 0,
    next_offset: null,
    truncated: false,
  });
});

it('a line longer than the limit is clipped around its match, and counted', async () => {
  const path = file(`${'x'.repeat(5000)}needle${'é'.repeat(5000)}\nneedle\n`);
  const window = await read(path, 'needle', { limit: 3000 });
  expect(window.content.startsWith('1:xxx')).toBe(true);
  expect(window.content).toContain('needleé');
  expect(Buffer.byteLength(window.content)).toBeLessThanOrEqual(3000);
  expect(window).toMatchObject({ clipped_lines: 1, truncated: true, lines_shown: 1 });
  const tiny = await read(path, 'needle', { limit: 1 });
  expect(tiny).toMatchObject({ lines_shown: 1, clipped_lines: 1, next_start_line: 2 });
  expect((await read(path, 'needle', { offset: tiny.next_offset })).content).toBe('2:needle');
});

it('a binary stream is not searched unless as text', async () => {
  const path = file(Buffer.from('\0error\n'));
  expect(await host.read({ file_path: path, search: 'error' })).toMatchObject({
    content: '',
    note: expect.stringMatching(/as_text/),
  });
  expect((await read(path, 'error')).match_count).toBe(1);
});

it('an empty search is ignored', async () => {
  const window = await host.read({ file_path: file('one\n'), search: '' });
  expect(window.content).toBe('one\n');
  expect(window.match_count).toBeUndefined();
});
