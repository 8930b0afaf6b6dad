/** An agent reads only readable sources, even when folders change under it and sources are nested. */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import { FileGeneration } from '../../../electron/host/documents/origins/file-origin.ts';
import type { Host } from '../../../electron/host/host.ts';
import { poolHere, unpackIn } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let folder: string;
let source: string;
let host: Host;

async function makeHost(sources: unknown[]): Promise<void> {
  writeFileSync(join(folder, 'home', 'config.json'), JSON.stringify({ sources }));
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
}
beforeEach(() => {
  folder = makeFolder();
  source = join(folder, 'source');
  mkdirSync(join(source, 'inner'), { recursive: true });
  mkdirSync(join(folder, 'home'), { mode: 0o700 });
});
afterEach(async () => {
  await host.close();
  removeFolder(folder);
});

const asAgent = (target: { artifact_id: string } | { file_path: string }) =>
  host.inspect(target, { access: 'agent' }).then(
    (view) => view.content,
    (error: Error) => error.message,
  );
const labels = async () =>
  (await host.list({}, { access: 'agent' })).outputs.map((artifact) => artifact.label).sort();

describe('an agent', () => {
  it('that has an id does not follow a folder that has become a link to elsewhere', async () => {
    writeFileSync(join(source, 'inner', 'a.log'), 'public');
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'outside', 'a.log'), 'secret');
    await makeHost([source]);
    const [artifact] = (await host.list({}, { access: 'agent' })).outputs;
    const target = { artifact_id: artifact!.artifact_id };
    const swap = () => {
      renameSync(join(source, 'inner'), join(folder, 'moved'));
      symlinkSync(join(folder, 'outside'), join(source, 'inner'));
    };
    swap();
    expect(await asAgent(target)).toMatch(/no artifact has the id/);
    rmSync(join(source, 'inner'));
    renameSync(join(folder, 'moved'), join(source, 'inner'));
    expect(await asAgent(target)).toBe('public');
    swap();
    expect(await asAgent(target)).toMatch(/no artifact has the id/);
    // Opening the file must fail, too, if it has become a link by then.
    const opening = { unpack: unpackIn(folder), pool: poolHere };
    await expect(FileGeneration.open(join(source, 'inner', 'a.log'), opening)).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('is not shown a hidden file of its source because a person has looked at it', async () => {
    mkdirSync(join(source, '.hidden'));
    writeFileSync(join(source, '.hidden', 'key'), 'secret');
    writeFileSync(join(source, 'a.log'), 'public');
    await makeHost([source]);
    const { artifact_id } = await host.inspect({ file_path: join(source, '.hidden', 'key') });
    expect(await labels()).toEqual(['a.log']);
    expect(await asAgent({ artifact_id })).toMatch(/no artifact has the id/);
  });

  it('reads a file as the innermost source that holds it says, by its path and by its id', async () => {
    writeFileSync(join(source, 'a.log'), 'public');
    writeFileSync(join(source, 'inner', 'b.log'), 'secret');
    const inner = { path: join(source, 'inner'), mcp: false };
    for (const sources of [
      [source, inner],
      [inner, source],
    ]) {
      await makeHost(sources);
      expect(await labels()).toEqual(['a.log']);
      expect(await asAgent({ file_path: join(source, 'inner', 'b.log') })).toMatch(/no readable output/);
      expect(await asAgent({ file_path: join(source, 'a.log') })).toBe('public');
      const hidden = (await host.list({})).outputs.find((artifact) => artifact.label === 'b.log')!;
      expect(await asAgent(hidden)).toMatch(/no artifact has the id/);
      await host.close();
    }
    await makeHost([{ path: source, mcp: false }]);
    const opened = await host.openPath({ path: join(source, 'inner'), agents: true });
    expect(opened.map((artifact) => artifact.label)).toEqual(['b.log']);
    expect(await labels()).toEqual(['b.log']);
    expect(await asAgent({ artifact_id: opened[0]!.artifact_id })).toBe('secret');
  });
});
