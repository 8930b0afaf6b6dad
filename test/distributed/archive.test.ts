/** The archive on a real Ceph: `npm test -- distributed`. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Copies } from '../../electron/archive/copies.ts';
import { folderOf, placeOf } from '../../electron/archive/keys.ts';
import { findArchived, listArchive } from '../../electron/archive/list.ts';
import { S3 } from '../../electron/archive/s3.ts';
import { ship } from '../../electron/archive/ship.ts';
import type { CaptureRecord } from '../../electron/store/format/record.ts';
import { Settings } from '../../shared/settings.ts';
import { makePlace, type Place, runCli } from '../fixtures/cli.ts';
import { removeFolder } from '../fixtures/folder.ts';
import { Ceph, credentials, env } from './ceph.ts';

let ceph: Ceph;
beforeAll(async () => {
  ceph = await Ceph.start(17_680);
});
afterAll(() => ceph.stop());

let place: Place;
let settings: Settings;
let store: S3;
beforeEach(async () => {
  const archive = await ceph.bucket();
  place = makePlace();
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, 'config.json'), JSON.stringify({ archive }));
  settings = Settings.parse({ archive });
  store = new S3(settings.archive!, credentials);
  return () => {
    store.close();
    place.remove();
  };
});

const run = (...args: string[]) => runCli(args, place, { env });

/** Every object with the MD5 of its bytes. */
async function objects(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const page of store.list('v1/'))
    for (const { key } of page.objects)
      found.set(
        key,
        createHash('md5')
          .update((await store.get(key))!.content)
          .digest('hex'),
      );
  return found;
}

async function record(...shell: string[]): Promise<string> {
  await run('run', '--quiet', '--', 'sh', '-c', ...shell);
  const { stdout } = await run('list', '--limit', '1', '--json');
  return JSON.parse(stdout).outputs[0].artifact_id;
}

it('ships what was printed to the byte, with secrets masked, and another machine reads it', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const id = await record(`seq 1 200000; echo key ${token}; printf '\\377\\0end'; echo bad >&2; exit 4`);
  const { status, stdout } = await run('archive', 'push');
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining(`~4~`) });
  const archived = (await findArchived(store, 'main', id))!;
  const text = gunzipSync((await store.get(`${folderOf(archived.place)}stdout.gz`))!.content).toString(
    'latin1',
  );
  const lines = Array.from({ length: 200_000 }, (_, i) => `${i + 1}\n`).join('');
  expect(text).toBe(`${lines}key ${'*'.repeat(token.length)}\n\u00ff\0end`);
  const other = makePlace();
  try {
    mkdirSync(other.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(other.home, 'config.json'), readFileSync(join(place.home, 'config.json')));
    const at = (...args: string[]) => runCli(args, other, { env });
    expect((await at('list', '--archive', '--failed')).stdout).toContain(id);
    const part = await at('inspect', id, '--stream', 'stdout', '--start', '150000', '--end', '150001');
    expect(part.stdout).toBe('150000\n150001\n');
    expect((await at('search', '^bad$', '--archive')).stdout).toContain(`${id}:`);
  } finally {
    other.remove();
  }
});

it('loses nothing and has nothing twice when uploaders are killed and the gateway dies', async () => {
  const ids = [];
  for (let i = 0; i < 4; i += 1) ids.push(await record(`seq 1 ${100_000 + i}; echo ${i} >&2`));
  for (let round = 0; round < 6; round += 1) {
    const uploaders = [1, 2].map(() =>
      spawn(process.execPath, ['dist/node/cli.js', 'archive', 'push'], {
        env: { ...process.env, ...env, SPILLWAY_HOME: place.home },
        stdio: 'ignore',
      }),
    );
    const ended = uploaders.map((one) => new Promise((resolve) => one.once('exit', resolve)));
    // Early in the start of one, in the middle of another's puts.
    await sleep(250 + round * 60);
    if (round === 3) ceph.kill('rgw');
    for (const one of uploaders) one.kill('SIGKILL');
    await Promise.all(ended);
    if (round === 3) await ceph.startGateway();
  }
  expect((await run('archive', 'push')).status).toBe(0);
  const there = await objects();
  expect([...there.keys()].filter((key) => key.endsWith('record.json')).length).toBe(ids.length);
  expect(there.size).toBe(ids.length * 3);
  for (const [i, id] of ids.entries()) {
    const { place: where } = (await findArchived(store, 'main', id))!;
    const text = gunzipSync((await store.get(`${folderOf(where)}stdout.gz`))!.content).toString();
    expect(text).toBe(Array.from({ length: 100_000 + i }, (_, n) => `${n + 1}\n`).join(''));
  }
  // Forgetting what was shipped puts nothing new.
  const shipped = join(place.home, 'archive', 'shipped');
  for (const name of readdirSync(shipped)) removeFolder(join(shipped, name));
  expect((await run('archive', 'push')).status).toBe(0);
  expect(await objects()).toEqual(there);
});

it('keeps what it cannot ship, costs a command nothing, and ships it when the store is back', async () => {
  ceph.kill('rgw');
  const began = performance.now();
  const id = await record('echo offline');
  expect(performance.now() - began).toBeLessThan(10_000);
  const failed = await run('archive', 'push');
  expect(failed.status).toBe(2);
  expect(failed.stderr).toContain('cannot be reached');
  expect((await run('archive', 'status')).stdout).toMatch(/waiting +1 capture/);
  writeFileSync(
    join(place.home, 'config.json'),
    JSON.stringify({ archive: settings.archive, retentionHours: 0 }),
  );
  expect((await run('cleanup')).stdout).toContain('1 to be shipped');
  await ceph.startGateway();
  expect((await run('archive', 'push')).stdout).toContain(id);
  expect((await run('cleanup')).stdout).toContain('Removed 1 capture');
  expect(await findArchived(store, 'main', id)).not.toBeNull();
});

it('says what is refused: another key, a bucket that is not there', async () => {
  await record('echo refused');
  const wrong = await runCli(['archive', 'push'], place, { env: { ...env, AWS_SECRET_ACCESS_KEY: 'no' } });
  expect(wrong.stderr).toContain('the archive refused this (SignatureDoesNotMatch)');
  const archive = { ...settings.archive!, url: 's3://not-there' };
  const result = await ship({ home: place.home, settings: { ...settings, archive }, env });
  expect(result).toMatchObject({
    waiting: 1,
    problem: expect.stringContaining('there is no bucket not-there'),
  });
  expect((await run('archive', 'check', '--json')).stdout).toContain('"puts_once":true');
});

it('reads 40 lines anywhere in 2.2 million with 2 requests and 200 KB', async () => {
  const id = await record('seq 1 2200000');
  await ship({ home: place.home, settings, env });
  const archived = (await findArchived(store, 'main', id))!;
  const copies = new Copies(store, place.home);
  const before = { ...store.spent };
  const began = performance.now();
  await copies.fetch(archived, { lines: [1_500_000, 1_500_039] });
  const spent = { requests: store.spent.requests - before.requests, bytes: store.spent.bytes - before.bytes };
  console.log(`40 lines: ${JSON.stringify(spent)}, ${(performance.now() - began).toFixed(0)} ms`);
  expect(spent.requests).toBeLessThanOrEqual(2);
  expect(spent.bytes).toBeLessThanOrEqual(200_000);
});

it('lists a day of 5,000 captures', async () => {
  const day = Date.now() - 2 * 86_400_000;
  const body = gzipSync('');
  const md5 = createHash('md5').update(body).digest('base64');
  const keys = Array.from({ length: 5000 }, (_, i) => {
    const stamp = new Date(day - (day % 86_400_000) + i * 17_000)
      .toISOString()
      .slice(0, 19)
      .replaceAll(':', '-');
    const artifact_id = `cmd-x-${stamp}-${i.toString(16).padStart(6, '0')}`;
    const one = { artifact_id, label: 'x', status: 'failed', exit_code: 1, signal: null } as CaptureRecord;
    const folder = folderOf(placeOf(one, 'main', `host-${i % 50}`));
    return [`${folder}stdout.gz`, `${folder}record.json`];
  }).flat();
  const put = async () => {
    for (let key = keys.pop(); key !== undefined; key = keys.pop())
      await store.put(key, { content: body, bytes: body.length, md5 });
  };
  await Promise.all(Array.from({ length: 16 }, put));
  const list = async () => {
    const began = performance.now();
    const { requests } = store.spent;
    const found = await listArchive(store, {
      ...{
        home: place.home,
        space: 'main',
        outcome: 'failed',
        since: day - (day % 86_400_000),
        now: Date.now(),
      },
    });
    const ms = Math.round(performance.now() - began);
    return { count: found.length, ms, requests: store.spent.requests - requests };
  };
  const cold = await list();
  const cached = await list();
  console.log(`a day of 5,000, and the open days since: ${JSON.stringify({ cold, cached })}`);
  expect([cold.count, cached.count]).toEqual([5000, 5000]);
});
