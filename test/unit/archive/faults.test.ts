/** Whatever a store does, nothing that is shipped is lost or there twice. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkArchive, S3, textBody } from '../../../electron/archive/s3.ts';
import { readState, ship } from '../../../electron/archive/ship.ts';
import { sessionFolder } from '../../../electron/store/format/names.ts';
import { Settings } from '../../../shared/settings.ts';
import { idAt } from '../../fixtures/archived.ts';
import { type Bucket, type Fault, startBucket } from '../../fixtures/bucket.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const credentials = { accessKeyId: 'AK', secretAccessKey: 'SK' };
const env = { AWS_ACCESS_KEY_ID: 'AK', AWS_SECRET_ACCESS_KEY: 'SK' };
let bucket: Bucket;
let home: string;
let settings: Settings;
beforeEach(async () => {
  bucket = await startBucket();
  home = makeFolder();
  settings = Settings.parse({ archive: { url: 's3://logs', endpoint: bucket.endpoint, ship: 'all' } });
});
afterEach(async () => {
  await bucket.close();
  removeFolder(home);
});

/** Fails the first `times` requests of the method. */
function failing(method: string, fault: Fault, times = Number.POSITIVE_INFINITY) {
  let left = times;
  bucket.fault = (asked) => {
    if (asked !== method || left === 0) return null;
    left -= 1;
    return fault;
  };
}

describe('a request', () => {
  let pauses: number[];
  let store: S3;
  beforeEach(() => {
    pauses = [];
    const pause = async (ms: number) => void pauses.push(ms);
    store = new S3(settings.archive!, credentials, undefined, { pause, silenceMs: 100 });
    return () => store.close();
  });
  const put = () => store.put('a', textBody('x'));

  it.each([
    ['is busy', { status: 503, code: 'SlowDown' }],
    ['fails', { status: 500, code: 'InternalError' }],
    ['is asked too often', { status: 429 }],
    ['breaks the connection before it answers', { cut: 'before' }],
    ['breaks it after it has done what was asked', { cut: 'after' }],
    ['does not answer in time', { slowMs: 300 }],
  ] satisfies [string, Fault][])('is repeated when the store %s', async (_, fault) => {
    failing('PUT', fault, 3);
    expect(await put()).toBe(true);
    expect(pauses.length).toBe(3);
    expect(bucket.objects.get('a')!.toString()).toBe('x');
  });

  it('ends when the store stays busy, after longer and longer pauses of random length', async () => {
    failing('PUT', { status: 503, code: 'SlowDown' });
    await expect(put()).rejects.toMatchObject({
      code: 'stalled',
      message: expect.stringContaining('SlowDown'),
    });
    expect(bucket.asked.length).toBe(6);
    for (const [i, ms] of pauses.entries()) expect(ms).toBeLessThanOrEqual(200 * 2 ** i);
    expect(new Set(pauses).size).toBe(5);
  });

  it('waits as long as the store asks for', async () => {
    failing('PUT', { status: 503, headers: { 'retry-after': '2' } }, 1);
    await put();
    expect(pauses[0]).toBeGreaterThanOrEqual(2000);
  });

  it.each([
    [{ status: 403, code: 'AccessDenied' }, 'no_permission', 'the archive refused this (AccessDenied)'],
    [{ status: 404, code: 'NoSuchBucket' }, 'not_found', 'there is no bucket logs'],
    [{ status: 400, code: 'InvalidRequest' }, 'unsupported', 'the archive answered InvalidRequest'],
  ] satisfies [Fault, string, string][])(
    'is not repeated when it is refused: %j',
    async (fault, code, what) => {
      failing('PUT', fault);
      await expect(put()).rejects.toMatchObject({ code, message: expect.stringContaining(what) });
      expect(bucket.asked.length).toBe(1);
    },
  );

  it('is signed with the time of the store, where the clocks differ', async () => {
    const ahead = Date.now() + 3_600_000;
    const dates: number[] = [];
    bucket.fault = (_method, _key, headers) => {
      const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(
        String(headers['x-amz-date']),
      )!;
      dates.push(Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`));
      if (Math.abs(dates.at(-1)! - ahead) < 900_000) return null;
      return { status: 403, code: 'RequestTimeTooSkewed', headers: { date: new Date(ahead).toUTCString() } };
    };
    await put();
    await put();
    // The second needs no second try.
    expect(dates.length).toBe(3);
    expect(pauses).toEqual([]);
  });
});

describe('shipping', () => {
  /** Two finished captures, as the recorder leaves them. */
  const ids = [1, 2].map((n) => idAt(Date.UTC(2026, 0, 13, 10, n), n));
  beforeEach(() => {
    const folder = sessionFolder(home, 'default');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const id of ids) {
      const text = `text of ${id}\nfatal: 17\n`;
      writeFileSync(join(folder, `${id}.stdout.log`), text);
      const stream = { folded: null, total_lines: 2, gap: null, content_type: 'log' };
      const record = {
        ...{ version: 1, artifact_id: id, kind: 'cmd', label: 'make', command: 'make', args: [], cwd: '/w' },
        ...{ env_names: null, session: 'default', status: 'failed', exit_code: 2, signal: null, times: null },
        ...{ started_at: '2026-01-13T10:01:00Z', ended_at: '2026-01-13T10:01:00Z', duration_ms: 1 },
        ...{ warnings: [], recorder: null, cause: null },
        streams: [{ ...stream, name: 'stdout', file: `${id}.stdout.log`, total_bytes: text.length }],
      };
      writeFileSync(join(folder, `${id}.meta.json`), JSON.stringify(record));
    }
  });
  const push = () => ship({ home, settings, env, host: 'm1' });
  const keys = () => [...bucket.objects.keys()].map((key) => key.slice(key.lastIndexOf('/') + 1)).sort();
  const complete = ['record.json', 'record.json', 'stdout.gz', 'stdout.gz'];

  it.each([
    ['it may not put', { status: 403, code: 'AccessDenied' }, /refused this \(AccessDenied\)/],
    ['the bucket has vanished', { status: 404, code: 'NoSuchBucket' }, /there is no bucket logs/],
  ] satisfies [string, Fault, RegExp][])(
    'keeps all while %s, says so, and ships it later',
    async (_, fault, why) => {
      failing('PUT', fault);
      expect(await push()).toMatchObject({ shipped: [], waiting: 2, problem: expect.stringMatching(why) });
      expect(readState(home).problem).toMatch(why);
      // One refusal is enough: the others would be refused as well.
      expect(bucket.asked.length).toBe(1);
      bucket.fault = () => null;
      expect(await push()).toMatchObject({ waiting: 0, kept: 2, problem: null });
      expect(keys()).toEqual(complete);
      expect(readdirSync(join(home, 'archive', 'spool'))).toEqual([]);
    },
  );

  it('puts nothing twice when answers are lost', async () => {
    let cut = 0;
    bucket.fault = (method) => (method === 'PUT' && cut++ % 2 === 0 ? { cut: 'after' } : null);
    expect(await push()).toMatchObject({ waiting: 0, problem: null });
    expect(keys()).toEqual(complete);
    for (const [key, content] of bucket.objects)
      if (key.endsWith('.gz')) expect(gunzipSync(content).toString()).toMatch(/^text of .*\nfatal: 17\n$/);
  });

  it('by two processes at once ends as by one', async () => {
    bucket.fault = () => ({ slowMs: 20 });
    const both = await Promise.all([push(), push()]);
    expect(both.map(({ problem }) => problem)).toEqual([null, null]);
    expect(keys()).toEqual(complete);
  });

  it('of a capture whose file is gone says so, and ships the others', async () => {
    removeFolder(join(sessionFolder(home, 'default'), `${ids[0]}.stdout.log`));
    expect(await push()).toMatchObject({
      shipped: [{ artifact_id: ids[1] }],
      waiting: 1,
      problem: expect.stringContaining(`${ids[0]} cannot be shipped`),
    });
  });

  it('that has no room for the spool says so, and ships later', async () => {
    // As on a full disk, nothing can be written in the folder of the archive.
    const folder = join(home, 'archive');
    removeFolder(folder);
    writeFileSync(folder, '');
    expect(await push()).toMatchObject({
      shipped: [],
      waiting: 2,
      problem: expect.stringMatching(/ENOTDIR|EEXIST/),
    });
    removeFolder(folder);
    expect(await push()).toMatchObject({ waiting: 0, problem: null });
    expect(keys()).toEqual(complete);
  });

  it('tells in the record where it was made, and which messages it has', async () => {
    await push();
    const [, content] = [...bucket.objects].find(([key]) => key.endsWith('record.json'))!;
    expect(JSON.parse(content.toString())).toMatchObject({
      origin: { host: 'm1', job: null, commit: null, branch: null },
      cause_shape: null,
      shapes: [{ count: 1 }, { shape: 'fatal: <n>', count: 1 }],
    });
  });
});

describe('a check', () => {
  const rights = async (allowed: readonly string[]) => {
    bucket.fault = (method, key) => {
      const right = method === 'GET' && key === '' ? 'LIST' : method;
      return allowed.includes(right) ? null : { status: 403, code: 'AccessDenied' };
    };
    const store = new S3(settings.archive!, credentials);
    return checkArchive(store, settings.archive!).finally(() => store.close());
  };

  it('finds nothing to say of credentials that may only put', async () => {
    const found = await rights(['PUT']);
    expect(found).toMatchObject({
      rights: { put: true, get: false, list: false, delete: false },
      problems: [],
    });
    expect(found.policies.ship).toMatchObject({ Statement: [{ Action: ['s3:PutObject'] }] });
  });

  it.each([
    [['PUT', 'GET'], ['may also get']],
    [
      ['PUT', 'GET', 'LIST', 'DELETE'],
      ['may also get, list, delete', 'can delete what all machines shipped'],
    ],
    [
      ['GET', 'LIST'],
      ['nothing can be shipped', 'may also get, list'],
    ],
  ])('names what %j are too much or too little', async (allowed, problems) => {
    const found = await rights(allowed);
    expect(found.problems).toEqual(problems.map((one) => expect.stringContaining(one)));
  });
});
