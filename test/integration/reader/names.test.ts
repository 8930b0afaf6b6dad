/** Paths that lead nowhere say why, and what to do. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
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

const errorFor = (name: string) =>
  host.inspect({ file_path: join(folder, name) }).then(
    () => 'no error',
    (error: Error) => error.message,
  );

it('a link that leads back to itself', async () => {
  symlinkSync(join(folder, 'b.log'), join(folder, 'a.log'));
  symlinkSync(join(folder, 'a.log'), join(folder, 'b.log'));
  expect(await errorFor('a.log')).toMatch(/a\.log" is a link that leads back to itself: name a file$/);
});

it('a link whose target is missing', async () => {
  symlinkSync('gone.log', join(folder, 'a.log'));
  expect(await errorFor('a.log')).toMatch(
    /is a link to "gone\.log", which does not exist: restore its target/,
  );
});

it.runIf(process.platform === 'linux')('a name that is not valid UTF-8', async () => {
  writeFileSync(
    Buffer.concat([Buffer.from(`${folder}/bad-`), Buffer.of(0xff), Buffer.from('.log')]),
    'text\n',
  );
  const error = await errorFor('bad-\ufffd.log');
  expect(error).toMatch(/is not valid UTF-8, and Spillway can't open it: rename the file/);
  expect(error).not.toMatch(/nearest/);
});
