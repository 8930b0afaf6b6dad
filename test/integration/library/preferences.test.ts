/** Settings that the window changes, and that a person changes in config.json, apply to a running host. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startInspector } from '../../../electron/app/start-host.ts';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import type { Notice } from '../../../shared/api/api.ts';
import type { SettingName } from '../../../shared/setting-rules.ts';
import type { Settings } from '../../../shared/settings.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { untilPasses } from '../../fixtures/until.ts';

let folder: string;
let home: string;
let host: LocalHost;
let notices: Notice[];

beforeEach(async () => {
  folder = makeFolder();
  home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const user = {
    home: folder,
    temporary: folder,
    env: { SPILLWAY_FIND_AGENTS: '0' },
    platform: 'linux',
  } as const;
  host = await createHost({ home, watch: true, publish: true, threads: 0, user });
  notices = [];
  host.watchNotices((notice) => void notices.push(notice));
});
afterEach(async () => {
  await host.close();
  removeFolder(folder);
});

const file = () => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')) as Partial<Settings>;
const edit = (text: string) => writeFileSync(join(home, 'config.json'), text);
const change = (name: SettingName, value?: unknown) => host.changePreference({ name, value });
const stateOf = async (name: SettingName) =>
  (await host.preferences({})).settings.find((each) => each.name === name);

it('a change goes into config.json, beside what is there, and into the next view', async () => {
  const path = join(folder, 'long.log');
  writeFileSync(path, `${'x'.repeat(500)}\n`);
  const [{ artifact_id } = { artifact_id: '' }] = await host.openPath({ path });
  edit('{\n  "growthWarnBytes": 7\n}\n');
  expect(await stateOf('maxLineChars')).toEqual({ name: 'maxLineChars', value: 2000, is_set: false });
  await change('maxLineChars', 100);
  expect(file()).toEqual({ growthWarnBytes: 7, maxLineChars: 100 });
  expect(await stateOf('maxLineChars')).toEqual({ name: 'maxLineChars', value: 100, is_set: true });
  const view = await host.inspect({ artifact_id, mode: 'head' });
  expect(view.content).toContain('x'.repeat(90));
  expect(view.content).not.toContain('x'.repeat(110));
  expect(notices).toContainEqual({ type: 'settings' });
  await change('maxLineChars');
  expect(file()).toEqual({ growthWarnBytes: 7 });
});

it('a value that the setting does not take changes nothing', async () => {
  await expect(change('maxLineChars', 3)).rejects.toMatchObject({
    code: 'usage',
    what: 'maxLineChars must be a whole number from 80 to 100000, not 3',
  });
  edit('{"maxLineChars": ');
  await expect(change('maxLineChars', 300)).rejects.toMatchObject({ code: 'home' });
  expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe('{"maxLineChars": ');
  expect((await host.preferences({})).problems).toEqual([expect.stringContaining('is not valid JSON')]);
});

it('windows hear of config.json edited by hand, and which setting is wrong in it', async () => {
  edit('{"retentionHours": 2, "maxLineChars": 3}');
  await untilPasses(() => expect(notices).toContainEqual({ type: 'settings' }));
  expect(await stateOf('retentionHours')).toEqual({ name: 'retentionHours', value: 2, is_set: true });
  expect(await stateOf('maxLineChars')).toEqual({ name: 'maxLineChars', value: 2000, is_set: true });
  expect((await host.preferences({})).problems).toEqual([expect.stringContaining('maxLineChars must be')]);
});

it('a folder is listed as soon as it is added, and no longer when it is removed', async () => {
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  writeFileSync(join(logs, 'one.log'), 'one\n');
  const names = async () => (await host.list({})).outputs.map(({ label }) => label);
  expect(await names()).toEqual([]);
  await change('sources', [{ path: logs, mcp: false }]);
  await untilPasses(async () => expect(await names()).toEqual(['one.log']));
  await change('sources', [{ path: logs, enabled: false }]);
  await untilPasses(async () => expect(await names()).toEqual([]));
  await change('sources', [logs]);
  await untilPasses(async () => expect(await names()).toEqual(['one.log']));
});

it('agents are served over HTTP from the moment that a port is set', async () => {
  const options = { home: join(folder, 'served'), paths: [], shell: 'web', entry: '/nowhere' } as const;
  const inspector = await startInspector({ ...options, paths: [] });
  try {
    expect(inspector.agents()).toBe(0);
    await inspector.host.changePreference({ name: 'mcpHttp', value: 0 });
    await untilPasses(() => expect(inspector.agents()).toBe(1));
    await inspector.host.changePreference({ name: 'mcpHttp' });
    await untilPasses(() => expect(inspector.agents()).toBe(0));
  } finally {
    await inspector.close();
  }
});
