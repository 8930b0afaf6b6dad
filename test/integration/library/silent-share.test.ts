/** A source on a share whose server is gone: the others are listed and read, and it is listed when it answers again. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { type HungMount, mountHung } from '../../fixtures/hung-mount.ts';
import { untilPasses } from '../../fixtures/until.ts';

const probe = makeFolder();
const first = process.platform === 'linux' ? await mountHung(probe) : null;
first?.end();
removeFolder(probe);

let folder: string;
let share: string;
let mount: HungMount | null;
let host: LocalHost | null;

beforeEach(async () => {
  folder = makeFolder();
  share = join(folder, 'share');
  for (const name of ['share', 'near', 'home']) mkdirSync(join(folder, name), { mode: 0o700 });
  writeFileSync(join(folder, 'near', 'near.log'), 'near\n');
  writeFileSync(join(share, 'far.log'), 'far\n');
  symlinkSync(share, join(folder, 'link'));
  mount = await mountHung(share);
  host = null;
});
afterEach(async () => {
  mount?.end();
  await host?.close();
  removeFolder(folder);
});

function settings(sources: readonly string[]): void {
  writeFileSync(join(folder, 'home', 'config.json'), JSON.stringify({ sources }));
}

async function start(publish = true): Promise<LocalHost> {
  const user = {
    home: folder,
    temporary: folder,
    env: { SPILLWAY_FIND_AGENTS: '0' },
    platform: 'linux',
  } as const;
  host = await createHost({ home: join(folder, 'home'), watch: true, publish, threads: 0, user });
  return host;
}

const noAnswer = () => expect.stringContaining(`${share} does not answer`);
const labels = async () => (await host!.list({})).outputs.map(({ label }) => label).sort();

describe.skipIf(first === null)('a source on a share that does not answer', () => {
  test('costs the others nothing, and is listed when it does', async () => {
    settings([share, join(folder, 'near')]);
    const { warnings } = await start();
    expect(warnings).toEqual([noAnswer()]);
    expect(await labels()).toEqual(['near.log']);
    writeFileSync(join(folder, 'near', 'new.log'), 'new\n');
    await untilPasses(async () => expect(await labels()).toEqual(['near.log', 'new.log']));
    expect((await host!.inspect({ file_path: join(folder, 'near', 'new.log'), mode: 'head' })).content).toBe(
      'new',
    );

    mount!.end();
    mount = null;
    await untilPasses(async () => expect(await labels()).toEqual(['far.log', 'near.log', 'new.log']));
    expect(host!.warnings).toEqual([]);
  });

  test('is found behind a link', async () => {
    settings([join(folder, 'link')]);
    const { warnings } = await start();
    expect(warnings).toEqual([
      expect.stringContaining(`${join(folder, 'link')} does not answer (fuse at ${share})`),
    ]);
  });

  test('is not waited for by whoever names a file in it', async () => {
    settings([join(folder, 'near')]);
    await start();
    const file_path = join(share, 'far.log');
    await expect(host!.inspect({ file_path, mode: 'head' })).rejects.toMatchObject({ code: 'stalled' });
    await expect(host!.openPath({ path: file_path })).rejects.toMatchObject({ code: 'stalled' });
    expect(await labels()).toEqual(['near.log']);
  });

  test('that stops answering while it is watched keeps its files in the list', async () => {
    mount!.end();
    mount = null;
    settings([share, join(folder, 'near')]);
    await start();
    await untilPasses(async () => expect(await labels()).toEqual(['far.log', 'near.log']));
    mount = await mountHung(share);
    await untilPasses(() => expect(host!.warnings).toEqual([noAnswer()]));
    expect(await labels()).toEqual(['far.log', 'near.log']);
    const near = await host!.inspect({ file_path: join(folder, 'near', 'near.log'), mode: 'head' });
    expect(near.content).toBe('near');
  });

  test('does not keep a command of the command line', () => {
    settings([share, join(folder, 'near')]);
    const listed = spawnSync(process.execPath, ['dist/node/cli.js', 'list'], {
      env: { ...process.env, SPILLWAY_HOME: join(folder, 'home'), SPILLWAY_FIND_AGENTS: '0' },
      timeout: 60_000,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
    expect(listed).toMatchObject({ status: 0, stderr: noAnswer() });
    expect(listed.stdout).toContain('near.log');
  });
});
