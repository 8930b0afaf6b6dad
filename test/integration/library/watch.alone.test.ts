/** Each way to find changes by itself: watches without rounds of looking, and rounds where nothing can be watched. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Library } from '../../../electron/library/library.ts';
import { directory, type Source } from '../../../electron/library/source.ts';
import { FolderTree } from '../../../electron/library/watching/tree.ts';
import { diskHere, poolHere } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { withoutRoot } from '../../fixtures/without-root.ts';

withoutRoot();

/** The system's error for each watch; null: watches work. */
let refusal: NodeJS.ErrnoException | null = null;
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const watch = (...args: Parameters<typeof fs.watch>) => {
    if (refusal) throw refusal;
    return fs.watch(...args);
  };
  const lstatSync = (path: string, options: { throwIfNoEntry: false }) => {
    beforeLook?.(path);
    return fs.lstatSync(path, options);
  };
  return { ...fs, watch, lstatSync };
});
/** Called before each look at a path. */
let beforeLook: ((path: string) => void) | null = null;

let folder: string;
let source: Source;
const at = (...names: string[]) => join(source.path, ...names);

beforeEach(() => {
  folder = makeFolder();
  source = { path: join(folder, 'source'), kind: directory, readableOverMcp: true };
  mkdirSync(source.path);
});
afterEach(() => {
  refusal = null;
  beforeLook = null;
  removeFolder(folder);
});

describe('watches alone', () => {
  const files = new Map<string, Stats>();
  const problems = new Map<string, string>();
  const sizes = () =>
    [...files].map(([path, { size }]) => `${path.slice(source.path.length + 1)} ${size}`).sort();
  let tree: FolderTree;

  beforeEach(async () => {
    files.clear();
    problems.clear();
    mkdirSync(at('inner'));
    for (const name of ['a.log', 'inner/b.log']) writeFileSync(at(name), 'text');
    tree = new FolderTree(source, {
      home: join(folder, 'home'),
      disk: diskHere,
      watch: true,
      see: (path, stats) => files.set(path, stats),
      lose: (path) => files.delete(path),
      vanished: () => {},
      silent: () => {},
      problem: (path, sentence) => (sentence === null ? problems.delete(path) : problems.set(path, sentence)),
    });
    await tree.round();
    expect(sizes()).toEqual(['a.log 4', 'inner/b.log 4']);
  });
  afterEach(() => tree.close());

  it('tell of files that grow, shrink, come, are renamed, replaced and go', async () => {
    appendFileSync(at('inner', 'b.log'), 'more');
    writeFileSync(at('a.log'), '');
    writeFileSync(at('c.log'), 'c');
    await expect.poll(sizes).toEqual(['a.log 0', 'c.log 1', 'inner/b.log 8']);
    renameSync(at('c.log'), at('inner', 'b.log'));
    renameSync(at('a.log'), at('d.log~'));
    await expect.poll(sizes).toEqual(['d.log~ 0', 'inner/b.log 1']);
    unlinkSync(at('inner', 'b.log'));
    await expect.poll(sizes).toEqual(['d.log~ 0']);
  });

  it('tell of folders that are renamed, deleted and made again at once, or become links', async () => {
    renameSync(at('inner'), at('other'));
    mkdirSync(at('inner'));
    writeFileSync(at('inner', 'new.log'), '');
    await expect.poll(sizes).toEqual(['a.log 4', 'inner/new.log 0', 'other/b.log 4']);
    for (let turn = 0; turn < 5; turn += 1) {
      rmSync(at('inner'), { recursive: true });
      mkdirSync(at('inner'));
    }
    await expect.poll(sizes).toEqual(['a.log 4', 'other/b.log 4']);
    // The new folder is watched.
    writeFileSync(at('inner', 'newer.log'), 'newer');
    await expect.poll(sizes).toEqual(['a.log 4', 'inner/newer.log 5', 'other/b.log 4']);
    rmSync(at('inner'), { recursive: true });
    symlinkSync(at('other'), at('inner'));
    await expect.poll(sizes).toEqual(['a.log 4', 'other/b.log 4']);
  });

  it('lead nowhere else, even when a folder becomes a link while it is looked at', async () => {
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'outside', 'b.log'), 'outside');
    beforeLook = (path) => {
      if (path !== at('inner', 'b.log')) return;
      beforeLook = null;
      renameSync(at('inner'), join(folder, 'moved'));
      symlinkSync(join(folder, 'outside'), at('inner'));
    };
    await tree.round();
    expect(beforeLook).toBeNull();
    expect(sizes()).toEqual(['a.log 4']);
  });

  it('tell of folders that may not be read, and may be read again', async () => {
    chmodSync(at('inner'), 0);
    await expect.poll(sizes).toEqual(['a.log 4']);
    await expect
      .poll(() => [...problems.values()])
      .toEqual([`no permission to read ${at('inner')}: change its permissions`]);
    chmodSync(at('inner'), 0o755);
    await expect.poll(sizes).toEqual(['a.log 4', 'inner/b.log 4']);
    await expect.poll(() => problems.size).toEqual(0);
  });

  it('tell of more at once than the system keeps for them', async () => {
    // Each is more than one event, and nobody takes any before all have been made.
    for (let i = 0; i < 12_000; i += 1) writeFileSync(at('inner', `many-${i}.log`), 'text');
    await expect.poll(() => files.size).toEqual(12_002);
  });

  it('tell of the end of the source, of its permissions, and of another in its place', async () => {
    chmodSync(source.path, 0);
    await expect.poll(sizes).toEqual([]);
    chmodSync(source.path, 0o755);
    await expect.poll(sizes).toEqual(['a.log 4', 'inner/b.log 4']);
    rmSync(source.path, { recursive: true });
    await expect.poll(sizes).toEqual([]);
    await expect.poll(() => problems.size).toEqual(1);
    mkdirSync(at('inner'), { recursive: true });
    writeFileSync(at('inner', 'c.log'), 'c');
    await expect.poll(sizes).toEqual(['inner/c.log 1']);
    await expect.poll(() => problems.size).toEqual(0);
  });
});

describe('where nothing can be watched', () => {
  it.each([
    ['ENOSPC', /can't be watched \(ENOSPC\).*: raise fs\.inotify\.max_user_watches/],
    ['EMFILE', /can't be watched \(EMFILE\).*: raise the limit on open files/],
  ])('(%s) changes are found by looking, and people are told', async (code, sentence) => {
    refusal = Object.assign(new Error(code), { code });
    const told: string[] = [];
    mkdirSync(at('inner'));
    writeFileSync(at('inner', 'a.log'), '');
    const library = new Library({
      home: join(folder, 'home'),
      pool: poolHere,
      watch: true,
      onProblem: (problem) => told.push(problem),
    });
    const labels = () => library.catalogue.all().map((artifact) => artifact.label);
    try {
      await library.addSource(source);
      expect(told.join()).toMatch(sentence);
      expect(library.problems.length).toBe(1);
      renameSync(at('inner', 'a.log'), at('b.log'));
      await expect.poll(labels).toEqual(['b.log']);
      rmSync(source.path, { recursive: true });
      await expect.poll(labels).toEqual([]);
      mkdirSync(source.path);
      writeFileSync(at('c.log'), '');
      await expect.poll(labels).toEqual(['c.log']);
      // It can be watched now.
      refusal = null;
      await expect.poll(() => library.problems).toEqual([]);
    } finally {
      library.close();
    }
  });
});
