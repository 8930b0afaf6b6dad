/** Directories of config.json may have a name, and a pattern for their files. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { until } from '../../fixtures/until.ts';

let folder: string;
let home: string;
let host: Host | null = null;

beforeEach(() => {
  folder = makeFolder();
  home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  for (const name of ['build-1/deep', 'build-22', 'other'])
    mkdirSync(join(folder, 'ci', name), { recursive: true });
  for (const path of ['a.log', 'a.txt', 'build-1/b.log', 'build-1/deep/c.txt', 'build-22/d.log'])
    writeFileSync(join(folder, 'ci', path), 'text\n');
});
afterEach(async () => {
  await host?.close();
  host = null;
  removeFolder(folder);
});

async function listed(...sources: object[]) {
  writeFileSync(join(home, 'config.json'), JSON.stringify({ sources }));
  host = await createHost({ home, watch: true, threads: 0 });
  return outputs();
}

const outputs = async () =>
  (await host!.list({}, {})).outputs.map(({ label, source }) => `${label} of ${source}`).sort();

test('a pattern without a slash is for names, at any depth', async () => {
  const path = join(folder, 'ci');
  expect(await listed({ path, name: 'CI', pattern: '*.log' })).toEqual([
    'a.log of CI',
    'b.log of CI',
    'd.log of CI',
  ]);
});

test('a pattern with a slash is for paths from the directory, and holds for new files', async () => {
  const path = join(folder, 'ci');
  expect(await listed({ path, pattern: 'build-?/**' })).toEqual([`b.log of ${path}`, `c.txt of ${path}`]);
  writeFileSync(join(path, 'build-1', 'new'), 'text\n');
  writeFileSync(join(path, 'build-22', 'new'), 'text\n');
  await until(async () => (await outputs()).length === 3);
  expect(await outputs()).toContain(`new of ${path}`);
});

test('agents read a named directory as its own entry says, not as another of that name', async () => {
  mkdirSync(join(folder, 'secret'));
  writeFileSync(join(folder, 'secret', 's.log'), 'text\n');
  await listed(
    { path: join(folder, 'ci'), name: 'CI', pattern: 'a.log' },
    { path: join(folder, 'secret'), name: 'CI', mcp: false },
  );
  const { outputs } = await host!.list({}, { access: 'agent' });
  expect(outputs.map(({ label }) => label)).toEqual(['a.log']);
});

test.each(['claude-code', 'captures', '/etc'])(
  'a directory cannot be named %s, as another source',
  async (name) => {
    const found = await listed({ path: join(folder, 'ci'), name, mcp: true });
    expect(found).toEqual([]);
  },
);
