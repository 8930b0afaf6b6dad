/** Opened paths are remembered until a person removes them; agents read them only if allowed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { until } from '../../fixtures/until.ts';

let folder: string;
let home: string;
let logs: string;
const hosts: Host[] = [];

beforeEach(() => {
  folder = makeFolder();
  home = join(folder, 'home');
  logs = join(folder, 'logs');
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(logs);
  writeFileSync(join(logs, 'a.log'), 'text\n');
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  removeFolder(folder);
});

async function start(options: { publish?: boolean } = {}): Promise<Host> {
  const host = await createHost({ home, watch: true, threads: 0, ...options });
  hosts.push(host);
  return host;
}

const labels = async (host: Host, access: 'person' | 'agent' = 'person') =>
  (await host.list({}, { access })).outputs.map(({ label }) => label);

describe('what a person opened', () => {
  it('is there again after a restart, until it is removed', async () => {
    const first = await start({ publish: true });
    await first.openPath({ path: logs });
    await hosts.pop()!.close();
    const second = await start({ publish: true });
    expect(await labels(second)).toEqual(['a.log']);
    expect(await second.openedSources({})).toEqual([
      { path: logs, agents: false, is_file: false, artifact_count: 1 },
    ]);
    await second.removeSource({ path: logs });
    expect(await labels(second)).toEqual([]);
    await hosts.pop()!.close();
    expect(await labels(await start({ publish: true }))).toEqual([]);
  });

  it('comes and goes in the other processes of the home', async () => {
    const inspector = await start({ publish: true });
    const other = await start();
    await inspector.openPath({ path: logs });
    await until(async () => (await labels(other)).length === 1);
    await inspector.removeSource({ path: logs });
    await until(async () => (await labels(other)).length === 0);
  });

  it('is read by agents only while that is said', async () => {
    const inspector = await start({ publish: true });
    const [artifact] = await inspector.openPath({ path: logs });
    const other = await start();
    const read = (host: Host) =>
      host.inspect({ artifact_id: artifact!.artifact_id }, { access: 'agent' }).then(
        ({ content }) => content,
        (error: Error) => error.message,
      );
    for (const host of [inspector, other]) {
      expect(await read(host)).toMatch(/no artifact has the id/);
      expect(await labels(host, 'agent')).toEqual([]);
    }
    await inspector.openPath({ path: logs, agents: true });
    expect(await read(inspector)).toBe('text');
    await until(async () => (await read(other)) === 'text');
    // Opening it again without the option changes nothing.
    await inspector.openPath({ path: logs });
    expect(await read(inspector)).toBe('text');
    await inspector.openPath({ path: logs, agents: false });
    expect(await read(inspector)).toMatch(/no artifact has the id/);
  });

  it('stays readable to agents where the settings say so', async () => {
    writeFileSync(join(home, 'config.json'), JSON.stringify({ sources: [logs] }));
    const host = await start({ publish: true });
    const [artifact] = await host.openPath({ path: join(logs, 'a.log') });
    const asAgent = { access: 'agent' } as const;
    expect((await host.inspect({ artifact_id: artifact!.artifact_id }, asAgent)).content).toBe('text');
    await host.removeSource({ path: join(logs, 'a.log') });
    expect(await labels(host, 'agent')).toEqual(['a.log']);
    // A source of the settings is not opened by opening it.
    await host.openPath({ path: logs });
    expect(await host.openedSources({})).toEqual([]);
    await expect(host.removeSource({ path: logs })).rejects.toThrow(/was not opened here.*config\.json/);
  });

  it('is remembered while it is not there', async () => {
    const first = await start({ publish: true });
    await first.openPath({ path: logs });
    await hosts.pop()!.close();
    removeFolder(logs);
    const second = await start({ publish: true });
    expect(await second.openedSources({})).toEqual([
      { path: logs, agents: false, is_file: false, artifact_count: 0 },
    ]);
    await second.removeSource({ path: logs });
    expect(await second.openedSources({})).toEqual([]);
  });

  it('does not bury everything else in the list when it is a large folder', async () => {
    for (let file = 0; file < 60; file += 1) writeFileSync(join(logs, `${file}.conf`), '');
    const single = join(folder, 'single.log');
    writeFileSync(single, '');
    const host = await start({ publish: true });
    await host.openPath({ path: logs });
    await host.openPath({ path: single });
    const { outputs, left_out } = await host.list({});
    expect(outputs.map(({ label }) => label)).toEqual(['single.log']);
    expect(left_out).toEqual([{ source: logs, file_count: 61 }]);
    expect((await host.list({ kind: 'file', limit: 100 })).outputs).toHaveLength(62);
    expect((await host.list({ query: '7.conf' })).outputs.length).toBeGreaterThan(1);
  });
});
