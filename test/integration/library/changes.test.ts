/** A watched source follows every change on disk, and every process that looks lists the same. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UNREADABLE } from '../../../electron/library/files/known-file.ts';
import {
  folder,
  follow,
  listed,
  paths,
  setUpSource,
  source,
  warnings,
  watching,
} from '../../fixtures/set-up/watched-source.ts';
import { withoutRoot } from '../../fixtures/without-root.ts';

setUpSource();

withoutRoot();

describe('a source that is watched', () => {
  it('removes its files from the list when it is deleted, and lists them again when it is made again', async () => {
    mkdirSync(join(source, 'inner'));
    writeFileSync(join(source, 'inner', 'a.log'), '');
    const host = await watching();
    rmSync(source, { recursive: true });
    await expect.poll(() => paths(host)).toEqual([]);
    await expect.poll(() => host.warnings.join()).toMatch(/source no longer exists; its files reappear/);
    mkdirSync(join(source, 'inner'), { recursive: true });
    writeFileSync(join(source, 'inner', 'b.log'), '');
    await expect.poll(() => paths(host)).toEqual(['inner/b.log']);
    await expect.poll(() => host.warnings).toEqual([]);
    writeFileSync(join(source, 'inner', 'c.log'), '');
    await expect.poll(() => paths(host)).toEqual(['inner/b.log', 'inner/c.log']);
  });

  it('shows folders that come, with all that is in them, are renamed, and go', async () => {
    const host = await watching();
    mkdirSync(join(folder, 'made', 'deep'), { recursive: true });
    writeFileSync(join(folder, 'made', 'deep', 'a.log'), '');
    renameSync(join(folder, 'made'), join(source, 'one'));
    await expect.poll(() => paths(host)).toEqual(['one/deep/a.log']);
    renameSync(join(source, 'one'), join(source, 'two'));
    await expect.poll(() => paths(host)).toEqual(['two/deep/a.log']);
    appendFileSync(join(source, 'two', 'deep', 'a.log'), 'more');
    await expect.poll(async () => (await listed(host))[0]?.streams[0]?.total_bytes).toEqual(4);
    rmSync(join(source, 'two'), { recursive: true });
    await expect.poll(() => paths(host)).toEqual([]);
  });

  it('never follows a link that takes the place of a file, of a folder, or of itself', async () => {
    mkdirSync(join(source, 'inner'));
    mkdirSync(join(folder, 'outside'));
    for (const path of ['source/inner/a.log', 'source/b.log', 'outside/a.log', 'outside/b.log'])
      writeFileSync(join(folder, path), path);
    const host = await watching();
    const { events } = follow(host);
    rmSync(join(source, 'inner'), { recursive: true });
    symlinkSync(join(folder, 'outside'), join(source, 'inner'));
    unlinkSync(join(source, 'b.log'));
    symlinkSync(join(folder, 'outside', 'b.log'), join(source, 'b.log'));
    writeFileSync(join(source, 'c.log'), '');
    await expect.poll(() => paths(host)).toEqual(['c.log']);
    renameSync(source, join(folder, 'moved'));
    symlinkSync(join(folder, 'outside'), source);
    await expect.poll(() => paths(host)).toEqual([]);
    unlinkSync(source);
    renameSync(join(folder, 'moved'), source);
    await expect.poll(() => paths(host)).toEqual(['c.log']);
    const sizes = events.flatMap((event) =>
      event.changed.map((artifact) => artifact.streams[0]!.total_bytes),
    );
    expect(sizes.filter((size) => size === 'outside/a.log'.length)).toEqual([]);
  });

  it('says of a file that it may not be read, and of a folder among the warnings', async () => {
    mkdirSync(join(source, 'inner'));
    writeFileSync(join(source, 'a.log'), '');
    writeFileSync(join(source, 'inner', 'b.log'), '');
    const host = await watching();
    chmodSync(join(source, 'a.log'), 0);
    chmodSync(join(source, 'inner'), 0);
    try {
      await expect.poll(() => warnings(host)).toEqual([[UNREADABLE]]);
      expect(await warnings(await watching({ watch: false }))).toEqual([[UNREADABLE]]);
      await expect
        .poll(() => host.warnings.join())
        .toMatch(/no permission to read .*inner: change its permissions/);
    } finally {
      chmodSync(join(source, 'inner'), 0o755);
    }
    chmodSync(join(source, 'a.log'), 0o644);
    await expect.poll(() => warnings(host)).toEqual([[], []]);
    await expect.poll(() => host.warnings).toEqual([]);
  });

  it('may be a single file, that is replaced, goes and comes back', async () => {
    const path = join(source, 'a.log');
    writeFileSync(path, 'one');
    writeFileSync(join(source, 'other.log'), '');
    const host = await watching({ paths: [path] });
    const size = async () => (await listed(host)).map((artifact) => artifact.streams[0]!.total_bytes);
    await expect.poll(size).toEqual([3]);
    writeFileSync(`${path}.new`, 'three');
    renameSync(`${path}.new`, path);
    await expect.poll(size).toEqual([5]);
    unlinkSync(path);
    await expect.poll(size).toEqual([]);
    writeFileSync(path, 'back');
    await expect.poll(size).toEqual([4]);
  });
});
