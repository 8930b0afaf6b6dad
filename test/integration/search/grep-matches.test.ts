/** `matches` of a grep view: the text around each match, and its place in the bytes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { GrepView } from '../../../shared/views.ts';
import fc from '../../fixtures/fast-check.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

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

async function grep(content: string | Buffer, pattern: string, more: object = {}): Promise<GrepView> {
  files += 1;
  const path = join(folder, `file-${files}`);
  writeFileSync(path, content);
  return (await host.inspect({ file_path: path, mode: 'grep', pattern, ...more })) as GrepView;
}

it('the context of each match is the lines before and after it, whatever else is in them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('alpha', 'beta', ''), { maxLength: 30 }),
      fc.nat(6),
      async (lines, context) => {
        const { matches } = await grep(lines.map((line) => `${line}\n`).join(''), 'alpha', {
          context_lines: context,
        });
        const wanted = lines.flatMap((line, i) =>
          line === 'alpha'
            ? [
                {
                  context_before: lines.slice(Math.max(0, i - context), i),
                  context_after: lines.slice(i + 1, i + 1 + context),
                },
              ]
            : [],
        );
        expect(
          matches.map(({ context_before, context_after }) => ({ context_before, context_after })),
        ).toEqual(wanted);
      },
    ),
  );
});

it.each<[string, Buffer, string, number, object?]>([
  ['UTF-8', Buffer.from('one\ncafé error\n'), 'error', 10],
  ['a byte order mark', Buffer.from('\ufeffan error\n'), 'error', 6],
  ['UTF-16', Buffer.from('\ufeffone\nan error\n', 'utf16le'), 'error', 16],
  ['UTF-16, in the first line', Buffer.from('\ufeffan error\n', 'utf16le'), 'error', 8],
  ['a byte that is no UTF-8', Buffer.from('caf\xe9 error\n', 'latin1'), 'error', 5],
  ['right behind such a byte', Buffer.from('caf\xe9 error\n', 'latin1'), ' ', 4],
  [
    'one byte for each character',
    Buffer.from('caf\xe9 error\n', 'latin1'),
    'error',
    5,
    { encoding: 'latin1' },
  ],
  [
    'two bytes for some',
    Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x20, 0x78, 0x0a]),
    'x',
    5,
    { encoding: 'shift_jis' },
  ],
  ['CRLF', Buffer.from('one\r\nan error\r\n'), 'error', 8],
])('the offset is that of the match in the stream: %s', async (_, bytes, pattern, offset, more) => {
  expect((await grep(bytes, pattern, more)).matches[0]?.offset).toBe(offset);
});

it('no match is half a character', async () => {
  const [match] = (await grep('😀 x\n', '.')).matches;
  expect(match?.match).not.toMatch(/^[\ud800-\udfff]$/);
});

it.each([
  ['a(', /unterminated group.* 3\b/],
  ['(?i)ab[z-a]', /out of order.* (8|9|10|11)\b/],
  ['x{2,1}', /out of order.* \d\b/],
])('an invalid pattern is an error that says where: %s', async (pattern, said) => {
  await expect(grep('x\n', pattern)).rejects.toThrow(said);
});
