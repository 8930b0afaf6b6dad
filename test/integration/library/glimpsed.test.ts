import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let folder: string;
let source: string;
let host: Host;

beforeEach(async () => {
  folder = makeFolder();
  source = join(folder, 'source');
  mkdirSync(source);
  writeFileSync(join(source, 'stays.log'), 'one\n');
  host = await createHost({ home: join(folder, 'home'), paths: [source], watch: true, threads: 0 });
});
afterEach(async () => {
  await host.close();
  removeFolder(folder);
});

const listed = async () => (await host.list({ limit: 100 })).outputs.map(({ label }) => label).sort();

it('does not list for ever what was read and deleted before the watch looked at it', async () => {
  for (let i = 0; i < 10; i += 1) {
    const path = join(source, `short-${i}.log`);
    writeFileSync(path, 'two\n');
    const view = await host.inspect({ file_path: path, mode: 'head' });
    expect(view).toMatchObject({ content: 'two' });
    rmSync(path);
  }
  await expect.poll(listed).toEqual(['stays.log']);
});

it('does not list it when the folder it was in is gone, too', async () => {
  const inner = join(source, 'inner');
  mkdirSync(inner);
  writeFileSync(join(inner, 'short.log'), 'two\n');
  await host.inspect({ file_path: join(inner, 'short.log'), mode: 'head' });
  rmSync(inner, { recursive: true });
  await expect.poll(listed).toEqual(['stays.log']);
});

it('goes on listing what was read first and looked at by the watch afterwards', async () => {
  const path = join(source, 'new.log');
  writeFileSync(path, 'two\n');
  await host.inspect({ file_path: path, mode: 'head' });
  expect(await listed()).toEqual(['new.log', 'stays.log']);
  writeFileSync(join(source, 'later.log'), 'three\n');
  await expect.poll(listed).toEqual(['later.log', 'new.log', 'stays.log']);
  rmSync(path);
  await expect.poll(listed).toEqual(['later.log', 'stays.log']);
});
