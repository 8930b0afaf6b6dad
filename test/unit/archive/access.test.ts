/** A host and agents over captures that only the archive has. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withArchive } from '../../../electron/host/archive/access.ts';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { listOutputs } from '../../../electron/mcp/tools/list-outputs.ts';
import { searchOutputs } from '../../../electron/mcp/tools/search-outputs.ts';
import type { Tool } from '../../../electron/mcp/tools/tool.ts';
import { recordFile, sessionFolder } from '../../../electron/store/format/names.ts';
import { idAt, objectsOf } from '../../fixtures/archived.ts';
import { type Bucket, startBucket } from '../../fixtures/bucket.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const minute = 60_000;
const now = Date.now();
let home: string;
let bucket: Bucket;
let own: Host;
beforeEach(async () => {
  home = makeFolder();
  bucket = await startBucket();
  process.env.AWS_ACCESS_KEY_ID = 'AK';
  process.env.AWS_SECRET_ACCESS_KEY = 'SK';
});
afterEach(async () => {
  await own.close();
  await bucket.close();
  removeFolder(home);
});

async function opened(reader: 'person' | 'agent', mcp = false) {
  const archive = { url: 's3://logs', endpoint: bucket.endpoint, mcp };
  writeFileSync(join(home, 'config.json'), JSON.stringify({ archive }));
  own = await createHost({ home, watch: false, threads: 0 });
  return withArchive(own, home, reader);
}
const put = async (n: number, text: string, options = {}) => {
  const objects = await objectsOf(home, idAt(now - n * minute, n), text, options);
  for (const [key, content] of objects) bucket.objects.set(key, content);
  return idAt(now - n * minute, n);
};
const agent = { access: 'agent' } as const;

describe('an agent', () => {
  it('reads nothing of the archive until it is allowed', async () => {
    const id = await put(1, 'error 17\n');
    const host = await opened('agent');
    await expect(host.archive.list({}, '*', agent)).rejects.toMatchObject({ code: 'no_permission' });
    await expect(host.archive.search({ pattern: 'error' }, '*', agent)).rejects.toMatchObject({
      code: 'no_permission',
    });
    await expect(host.inspect({ artifact_id: id, mode: 'head' }, agent)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(bucket.asked).toEqual([]);
  });

  it('lists, searches and reads it once it is', async () => {
    const [a, b] = [await put(1, 'error 17\n', { host: 'a' }), await put(2, 'error 18\n', { host: 'b' })];
    const host = await opened('agent', true);
    const ids = async (machine: string) =>
      (await host.archive.list({}, machine, agent)).outputs.map((one) => one.artifact_id);
    expect(await ids('*')).toEqual([a, b]);
    expect(await ids('b')).toEqual([b]);
    const found = await host.archive.search({ pattern: 'error' }, 'b', agent);
    expect(found.outputs.map((one) => one.artifact_id)).toEqual([b]);
    const view = await host.inspect({ artifact_id: b, mode: 'head' }, agent);
    expect(view).toMatchObject({ content: 'error 18', file_path: null });
    expect(await host.read({ artifact_id: b, limit: 5 }, agent)).toMatchObject({ content: 'error' });
    const artifact = await host.artifact({ artifact_id: b }, agent);
    expect(artifact).toMatchObject({ artifact_id: b, streams: [{ file_path: null }, {}] });
    expect(await host.artifact({ artifact_id: idAt(now - 9 * minute, 9) }, agent)).toBeNull();
  });
});

describe('the tools of an agent', () => {
  const called = async (tool: Tool, args: object) => {
    const options = { ...agent, signal: new AbortController().signal, client: null, report: () => {} };
    const budget = { usualBytes: 10_000, mostBytes: 10_000 };
    const { content } = await tool.call(args, { ...options, budget });
    return content.map((block) => (block.type === 'text' ? block.text : ''));
  };

  it('list and search the machines of the archive with `host`, and this one without', async () => {
    for (let n = 1; n <= 3; n += 1) await put(n, `error ${n}\n`, { host: `h${n}` });
    const host = await opened('agent', true);
    const [list] = await called(listOutputs(host), { host: 'h2' });
    expect(JSON.parse(list!).outputs).toMatchObject([{ artifact_id: idAt(now - 2 * minute, 2), host: 'h2' }]);
    expect(JSON.parse((await called(listOutputs(host), {}))[0]!).outputs).toEqual([]);
    const [head, text] = await called(searchOutputs(host), { pattern: 'error', host: '*' });
    expect(JSON.parse(head!)).toMatchObject({ match_count: 3, archive: { host_count: 3, captures: 3 } });
    expect(text).toContain('1:error 3');
  });
});

describe('a comparison', () => {
  const passed = 'step 1\nstep 2\nall passed\n';
  it('of an archived run takes what passed on other machines', async () => {
    for (const n of [20, 21, 22]) await put(n, passed, { host: `h${n}`, status: 'succeeded' });
    await put(19, passed, { host: 'other', status: 'succeeded', command: 'another' });
    const id = await put(1, 'step 1\nfatal: no space left\n', { host: 'bad' });
    const found = await (await opened('person')).compare({ artifact_id: id });
    expect(found.findings[0]).toMatchObject({ kind: 'new', text: 'fatal: no space left' });
    expect(found.baselines.map(({ artifact_id, chosen }) => [artifact_id, chosen])).toEqual(
      [20, 21, 22].map((n) => [idAt(now - n * minute, n), 'command']),
    );
    expect(found.note).toContain('passed on 3 machines of the archive (h20, h21, h22), failed on bad');
  });

  it('of a run of this machine takes them where none passed here', async () => {
    await put(20, passed, { host: 'h20', status: 'succeeded' });
    const id = idAt(now - minute, 1);
    const [record] = [...(await objectsOf(home, id, 'step 1\nfatal: no space left\n')).entries()].filter(
      ([key]) => key.endsWith('record.json'),
    );
    const folder = sessionFolder(home, 'default');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, recordFile(id)), record![1]);
    writeFileSync(join(folder, `${id}.stdout.log`), 'step 1\nfatal: no space left\n');
    const found = await (await opened('person')).compare({ artifact_id: id });
    expect(found.findings[0]).toMatchObject({ kind: 'new', text: 'fatal: no space left' });
    expect(found.note).toContain('passed on 1 machine of the archive (h20), failed on this one');
  });

  it('says that none passed anywhere', async () => {
    const id = await put(1, 'fatal\n');
    await expect((await opened('person')).compare({ artifact_id: id })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('no run of this has passed here, nor on a machine of the archive'),
    });
  });
});
