/** Many requests at once, files that are replaced while they are counted, and hosts that are closed under requests. */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { LinesView } from '../../../shared/views.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { until } from '../../fixtures/until.ts';

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

const inspect = (path: string) =>
  host.inspect({ file_path: path, lines: 1, as_text: true }) as Promise<LinesView>;
const hasDescriptors = process.platform === 'linux';

/** Descriptors of this process that are on files in the folder. */
function descriptors(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      return [];
    }
  });
}

/** Returns which of the folders this process watches: Node.js does not list watches that keep no process alive. */
function watched(folders: string[]): string[] {
  const inodes = new Set<number>();
  for (const fd of readdirSync('/proc/self/fdinfo')) {
    try {
      const info = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
      for (const [, inode] of info.matchAll(/^inotify .*\bino:([0-9a-f]+)/gm))
        inodes.add(Number(`0x${inode}`));
    } catch {
      // Closed since it was listed.
    }
  }
  return folders.filter((each) => inodes.has(statSync(each).ino));
}

describe('many requests at once', () => {
  it('are all answered, though more files are read than are kept open', async () => {
    const paths = Array.from({ length: 100 }, (_, i) => join(folder, `file-${i}`));
    for (const [i, path] of paths.entries()) writeFileSync(path, `text ${i}\n`);
    const views = await Promise.all(paths.map(inspect));
    expect(views.map((view) => view.content)).toEqual(paths.map((_, i) => `text ${i}`));
    await Promise.all(paths.map(inspect));
    if (hasDescriptors) expect(descriptors().length).toBeLessThanOrEqual(33);
  });
});

describe('a file that was deleted', () => {
  it.skipIf(!hasDescriptors)('is not kept on the disk by having been read once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    try {
      for (const name of ['gone', 'stays']) {
        writeFileSync(join(folder, name), 'text\n');
        await inspect(join(folder, name));
      }
      unlinkSync(join(folder, 'gone'));
      vi.advanceTimersByTime(60_000);
      await expect.poll(descriptors).toEqual([join(folder, 'stays')]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a file that is replaced while its lines are counted', () => {
  it('is shown whole, as it was or as it is', async () => {
    const path = join(folder, 'file.log');
    const size = 768 * 1024 * 1024;
    for (let turns = 0; turns < 24; turns += 3) {
      // A hole is quick to write, and counted in many stretches.
      writeFileSync(path, 'old\n');
      truncateSync(path, size);
      appendFileSync(path, 'end\n\n');
      const first = inspect(path);
      for (let i = 0; i < turns; i += 1) await turn();
      writeFileSync(`${path}.new`, 'new\nfile\n');
      renameSync(`${path}.new`, path);
      const second = await inspect(path);
      expect([second.content, second.total_lines, second.total_bytes]).toEqual(['new', 2, 9]);
      const { content, total_lines, total_bytes } = await first;
      expect([
        ['old', 3, size + 5],
        ['new', 2, 9],
      ]).toContainEqual([content, total_lines, total_bytes]);
    }
  });
});

describe('a host that is closed', () => {
  it.skipIf(!hasDescriptors)('leaves no file open, whatever it was asked at that moment', async () => {
    const path = join(folder, 'file.log');
    writeFileSync(path, 'text\n'.repeat(1_000_000));
    for (let turns = 0; turns < 12; turns += 1) {
      const closing = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
      const asked = closing.inspect({ file_path: path }).then(
        () => 'answered',
        (error: Error) => error.message,
      );
      for (let i = 0; i < turns; i += 1) await turn();
      await closing.close();
      expect(await asked).toMatch(/answered|Spillway is closing/);
      expect(descriptors()).toEqual([]);
    }
  });

  it.skipIf(!hasDescriptors)('watches nothing that was being opened at that moment', async () => {
    const source = join(folder, 'source');
    const folders = [source, ...Array.from({ length: 50 }, (_, i) => join(source, `folder-${i}`))];
    for (const each of folders) mkdirSync(each);
    const closing = await createHost({ home: join(folder, 'home'), watch: true, threads: 0 });
    const opening = closing.openPath({ path: source }).catch(() => []);
    await turn();
    await closing.close();
    await opening;
    // Another opening takes the same steps, each after those of the one before.
    const other = await createHost({ home: join(folder, 'home'), watch: true, threads: 0 });
    await other.openPath({ path: source });
    expect(watched(folders)).toEqual(folders);
    await other.close();
    await expect.poll(() => watched(folders)).toEqual([]);
  });
});

describe('a window that looks away at once', () => {
  it('is told nothing more', async () => {
    const path = join(folder, 'file.log');
    writeFileSync(path, 'text\n');
    const [artifact] = await host.openPath({ path });
    const document = { artifact_id: artifact!.artifact_id };
    const told: unknown[] = [];
    for (let turns = 0; turns < 10; turns += 1) {
      let looking = true;
      const stop = host.watchDocument(
        document,
        () => {
          if (!looking) told.push('state');
        },
        () => {},
      );
      for (let i = 0; i < turns; i += 1) await turn();
      stop();
      looking = false;
      // A window that begins to look now is told of what comes later.
      appendFileSync(path, 'more\n');
      const { size } = statSync(path);
      let isTold = false;
      const end = host.watchDocument(
        document,
        ({ total_bytes }) => {
          isTold ||= total_bytes === size;
        },
        () => {},
      );
      await until(() => isTold);
      end();
    }
    expect(told).toEqual([]);
  });
});
