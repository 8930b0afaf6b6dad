/** A file system that answers after seconds, such as a network share, delays only requests about its own files. */
import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let folder: string;
let host: Host;
const { openSync, lstatSync, statSync, realpathSync } = fs;
const real = { openSync, lstatSync, statSync, realpathSync };

beforeEach(async () => {
  folder = makeFolder();
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
});
afterEach(async () => {
  Object.assign(fs, real);
  syncBuiltinESMExports();
  await host.close();
  removeFolder(folder);
});

test('the thread that answers everybody never waits for such a file by name', async () => {
  const path = join(folder, 'slow.log');
  writeFileSync(path, 'one\ntwo\n');
  const waited: string[] = [];
  const note =
    <A extends unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A) => {
      if (String(args[0]) === path) waited.push(name);
      return call(...args);
    };
  const realpath = Object.assign(note('realpathSync', real.realpathSync as (path: string) => string), {
    native: note('realpathSync.native', real.realpathSync.native as (path: string) => string),
  });
  Object.assign(fs, {
    realpathSync: realpath,
    openSync: note('openSync', real.openSync),
    lstatSync: note('lstatSync', real.lstatSync as (path: string) => fs.Stats),
    statSync: note('statSync', real.statSync as (path: string) => fs.Stats),
  });
  syncBuiltinESMExports();
  expect((await host.inspect({ file_path: path })).content).toBe('one\ntwo');
  expect(waited).toEqual([]);
});
