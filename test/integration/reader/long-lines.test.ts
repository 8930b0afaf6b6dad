/** Lines longer than one read, where a person asked to see much of a line. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { LinesView } from '../../../shared/views.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const MAX = 100_000;
const folder = makeFolder();
let host: Host;

beforeAll(async () => {
  mkdirSync(join(folder, 'home'), { mode: 0o700 });
  writeFileSync(join(folder, 'home', 'config.json'), JSON.stringify({ maxLineChars: MAX }));
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
});
afterAll(async () => {
  await host.close();
  removeFolder(folder);
});

async function shown(text: string, encoding: BufferEncoding = 'utf8', more: object = {}): Promise<LinesView> {
  const path = join(folder, 'file.log');
  writeFileSync(path, Buffer.from(text, encoding));
  return (await host.inspect({ file_path: path, ...more })) as LinesView;
}

describe('with maxLineChars at its most', () => {
  for (const raw of [false, true]) {
    it(`a line of three-byte characters that is short enough is shown whole${raw ? ', raw' : ''}`, async () => {
      const line = '€'.repeat(MAX - 1);
      const view = await shown(`${line}\nnext\n`, 'utf8', { raw });
      expect(view.content === `${line}\nnext`).toBe(true);
      expect(view.clipped_lines).toBe(0);
    });

    it(`a line that is longer is clipped where it should be${raw ? ', raw' : ''}`, async () => {
      for (const length of [MAX + 1, 3 * MAX]) {
        const view = await shown(`${'€'.repeat(length)}\n`, 'utf8', { raw });
        expect([view.content === '€'.repeat(MAX), view.clipped_lines]).toEqual([true, 1]);
      }
    });
  }

  for (const encoding of ['utf8', 'utf16le'] as const) {
    it(`of a line of many megabytes that is redrawn once, the last drawing is shown: ${encoding}`, async () => {
      const view = await shown(`\ufeff${'redrawn '.repeat(700_000)}\rthe end\n`, encoding);
      expect([view.content, view.clipped_lines]).toEqual(['the end', 1]);
      expect(view.note).toMatch(/only the last 4 MiB of a redrawn line were replayed/);
    });
  }
});

describe('byte windows of encodings of several bytes a character', () => {
  it('split none, and joined they are the text', async () => {
    const path = join(folder, 'shift-jis.txt');
    // "日本" and an ASCII letter, over and over.
    const bytes = Buffer.from('93fa967b61'.repeat(20), 'hex');
    writeFileSync(path, bytes);
    for (const limit of [1, 2, 3, 4, 7]) {
      let text = '';
      for (let offset: number | null = 0; offset !== null; ) {
        const window = await host.read({ file_path: path, encoding: 'shift_jis', offset, limit });
        text += window.content;
        offset = window.next_offset;
      }
      expect([limit, text]).toEqual([limit, '日本a'.repeat(20)]);
    }
  });
});
