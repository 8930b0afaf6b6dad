/** An open document says what became of its file. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../../electron/host/host.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { folder, listed, setUpSource, source, watching } from '../../fixtures/set-up/watched-source.ts';
import { withoutRoot } from '../../fixtures/without-root.ts';

setUpSource();

withoutRoot();

describe('an open document', () => {
  async function open(path: string): Promise<{ host: Host; id: string; states: DocumentState[] }> {
    const host = await watching();
    const id = (await listed(host)).find((artifact) => artifact.streams[0]!.file_path === path)!.artifact_id;
    const states: DocumentState[] = [];
    host.watchDocument(
      { artifact_id: id },
      (state) => states.push(state),
      () => {},
    );
    await expect.poll(() => states.at(-1)?.condition).toEqual('ok');
    return { host, id, states };
  }

  it('says that its file may no longer be read, and gives an agent none of what was read before', async () => {
    const path = join(source, 'a.log');
    writeFileSync(path, 'old text\n');
    const { host, id, states } = await open(path);
    await host.openPath({ path: source, agents: true });
    chmodSync(path, 0);
    await expect.poll(() => states.at(-1)?.condition).toEqual('no_permission');
    expect(states.at(-1)?.problem?.what).toBe('permission to read the file was removed');
    const { rows } = await host.rows({ document: { artifact_id: id }, start_line: 1, count: 1 });
    expect(rows[0]?.text).toBe('old text');
    await expect(host.inspect({ artifact_id: id }, { access: 'agent' })).rejects.toMatchObject({
      code: 'no_permission',
    });
    const other = await watching();
    await expect(other.inspect({ artifact_id: id })).rejects.toMatchObject({ code: 'no_permission' });
    chmodSync(path, 0o600);
    await expect.poll(() => states.at(-1)?.condition).toEqual('ok');
  });

  it('says that a link, a folder, or nothing is in the place of its file', async () => {
    const path = join(source, 'a.log');
    writeFileSync(path, 'text\n');
    writeFileSync(join(folder, 'outside.log'), 'outside\n');
    const { host, id, states } = await open(path);
    unlinkSync(path);
    symlinkSync(join(folder, 'outside.log'), path);
    await expect.poll(() => states.at(-1)?.problem?.what).toEqual('a link has replaced the file');
    unlinkSync(path);
    mkdirSync(path);
    await expect
      .poll(() => states.at(-1)?.problem?.what)
      .toEqual('the file was replaced by something that is not a file');
    const { rows } = await host.rows({ document: { artifact_id: id }, start_line: 1, count: 1 });
    expect(rows[0]?.text).toBe('text');
    await expect(host.inspect({ artifact_id: id }, { access: 'agent' })).rejects.toThrow();
  });

  it('has the new text of a file that was written twice in one tick of the clock', async () => {
    const path = join(source, 'a.log');
    const tick = new Date(Date.now() + 60_000);
    const write = (text: string) => {
      writeFileSync(path, text);
      utimesSync(path, tick, tick);
    };
    write('one\n');
    const { host, id } = await open(path);
    const text = async () => (await host.inspect({ artifact_id: id })).content;
    expect(await text()).toBe('one');
    write('two\n');
    expect(await text()).toBe('two');
  });

  it('takes in what is added to a compressed file', async () => {
    const path = join(source, 'a.log.gz');
    writeFileSync(path, gzipSync('one\n'));
    const { states } = await open(path);
    for (let lines = 2; lines < 5; lines += 1) {
      appendFileSync(path, gzipSync('more\n'));
      await expect.poll(() => states.at(-1)?.total_lines).toEqual(lines);
    }
  });

  it('says that its file is gone when the folder above became a link to where the file is now', async () => {
    mkdirSync(join(source, 'inner'));
    writeFileSync(join(source, 'inner', 'a.log'), 'text\n');
    const { states } = await open(join(source, 'inner', 'a.log'));
    renameSync(join(source, 'inner'), join(folder, 'moved'));
    symlinkSync(join(folder, 'moved'), join(source, 'inner'));
    await expect.poll(() => states.at(-1)?.condition).toEqual('vanished');
  });
});
