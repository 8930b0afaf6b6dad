import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { prepareHome } from '../../../electron/host/settings/home.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return { ...fs, accessSync: vi.fn(fs.accessSync) };
});

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

it('a home on a read-only file system is refused with what to do, not as a defect', () => {
  const home = join(folder, 'home');
  prepareHome(home);
  vi.mocked(accessSync).mockImplementation(() => {
    throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
  });
  expect(() => prepareHome(home)).toThrow(
    `${home} is read-only (EROFS): make it writable, or set SPILLWAY_HOME`,
  );
});
