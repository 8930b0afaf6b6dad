/** Tells from the mount table which paths lead to disks that may not answer. */
import type * as Fs from 'node:fs';
import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>();
  const readFileSync = (path: string, encoding: 'latin1') =>
    path === '/proc/self/mounts' ? table : fs.readFileSync(path, encoding);
  return { ...fs, readFileSync };
});
let table = '';
let folder: string;
let farPathOf: typeof import('../../../electron/reader/disks/mounts.ts').farPathOf;
let isServed: typeof import('../../../electron/reader/disks/mounts.ts').isServed;

beforeEach(async () => {
  folder = makeFolder();
  for (const name of ['share', 'near', 'a b']) mkdirSync(join(folder, name));
  // The table is cached for a moment.
  vi.resetModules();
  ({ farPathOf, isServed } = await import('../../../electron/reader/disks/mounts.ts'));
});
afterEach(() => removeFolder(folder));

const mounts = (...lines: [place: string, type: string][]) => {
  table = lines.map(([place, type]) => `x ${place} ${type} rw 0 0\n`).join('');
};
const at = (...names: string[]) => join(folder, ...names);

describe.skipIf(process.platform === 'win32')('a path', () => {
  test('on a share leads to it, and others do not', () => {
    mounts(['/', 'ext4'], [at('share'), 'nfs4']);
    expect(farPathOf(at('share', 'logs', 'a.log'))).toEqual({
      mount: { place: at('share'), type: 'nfs4' },
      path: at('share', 'logs', 'a.log'),
    });
    expect(farPathOf(at('share'))).not.toBeNull();
    for (const near of [at('near'), at('share2'), folder, '/']) expect(farPathOf(near)).toBeNull();
  });

  test('leads to a share through links, upwards too', () => {
    mounts(['/', 'ext4'], [at('share'), 'fuse.sshfs']);
    symlinkSync(at('share'), at('near', 'link'));
    symlinkSync('../near/link/logs', at('near', 'second'));
    symlinkSync('loop', at('near', 'loop'));
    expect(farPathOf(at('near', 'link', 'a.log'))?.path).toBe(at('share', 'a.log'));
    expect(farPathOf(at('near', 'second', 'a.log'))?.path).toBe(at('share', 'logs', 'a.log'));
    expect(farPathOf(at('near', 'loop', 'a.log'))).toBeNull();
  });

  test('leads to a share whose name has a space', () => {
    mounts(['/', 'ext4'], [at('a\\040b'), 'cifs']);
    expect(farPathOf(at('a b', 'c'))?.mount.place).toBe(at('a b'));
  });

  test('on another disk of this machine is one that may not answer, too', () => {
    mounts(['/', 'ext4'], [at('share'), 'xfs']);
    expect(farPathOf(at('share', 'a.log'))?.mount.place).toBe(at('share'));
    expect(isServed(farPathOf(at('share', 'a.log'))!)).toBe(false);
  });

  test('on a disk mounted below a share leads through the share', () => {
    mounts(['/', 'ext4'], [at('share'), 'nfs'], [at('share', 'disk'), 'ext4']);
    expect(farPathOf(at('share', 'disk', 'a.log'))?.mount.place).toBe(at('share', 'disk'));
    expect(isServed(farPathOf(at('share', 'disk', 'a.log'))!)).toBe(true);
  });

  test('is near on the disk of the root, and where the kernel itself answers', () => {
    mounts(['/', 'fuse.overlay'], [homedir(), 'nfs'], [at('share'), 'tmpfs']);
    for (const near of [at('share', 'x'), at('near')]) expect(farPathOf(near)).toBeNull();
    expect(farPathOf(join(homedir(), 'logs'))).not.toBeNull();
  });
});
