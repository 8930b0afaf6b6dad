/** Files whose size by stat tells nothing about their text, as in /proc and /sys. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { LinesView } from '../../../shared/views.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let folder: string;
let host: Host;

beforeEach(async () => {
  folder = makeFolder();
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
});
afterEach(async () => {
  await host.close();
  removeFolder(folder);
});

const head = async (file_path: string) =>
  (await host.inspect({ file_path, mode: 'head', lines: 2000 })) as LinesView;

describe.runIf(process.platform === 'linux')('a file that the system makes up', () => {
  it.each(['/proc/version', '/proc/filesystems', '/proc/self/limits'])('%s is shown whole', async (path) => {
    const text = readFileSync(path, 'utf8');
    const view = await head(path);
    expect(view.content).toBe(text.replace(/\n$/, ''));
    expect(view.total_bytes).toBe(Buffer.byteLength(text));
    expect(view.truncated).toBe(false);
  });

  it('of /sys has no more text than it gives, whatever its size', async () => {
    const path = '/sys/kernel/mm/transparent_hugepage/enabled';
    const online = '/sys/devices/system/cpu/online';
    for (const file of [path, online]) {
      const text = (() => {
        try {
          return readFileSync(file, 'utf8');
        } catch {
          return null;
        }
      })();
      if (text !== null) expect((await head(file)).content).toBe(text.trimEnd());
    }
  });

  it('is read again when it is asked for later', async () => {
    const path = `/proc/self/comm`;
    const before = process.title;
    expect((await head(path)).content).toBe(readFileSync(path, 'utf8').trim());
    try {
      writeFileSync(path, 'renamed');
      await expect.poll(async () => (await head(path)).content, { timeout: 10_000 }).toBe('renamed');
    } finally {
      process.title = before;
    }
  });
});

describe('an ordinary file', () => {
  it('that is empty is empty, and has its text once it is written', async () => {
    const path = join(folder, 'file.log');
    writeFileSync(path, '');
    expect(await head(path)).toMatchObject({ content: '', total_bytes: 0 });
    writeFileSync(path, 'text\n');
    expect(await head(path)).toMatchObject({ content: 'text', total_bytes: 5 });
  });
});
