import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beganAt, folderOf, hourOf, parseKey, placeOf } from '../../../electron/archive/keys.ts';
import {
  footerLength,
  footerOf,
  maskedText,
  membersOfBytes,
  membersOfLines,
  pack,
  parseFooter,
} from '../../../electron/archive/pack.ts';
import { findCredentials } from '../../../electron/archive/s3.ts';
import { maskedRecord } from '../../../electron/archive/ship.ts';
import { loadConfig } from '../../../electron/host/settings/config.ts';
import type { SessionFolder } from '../../../electron/store/format/folder.ts';
import { type CaptureRecord, madeIn } from '../../../electron/store/format/record.ts';
import { judge, type Rules } from '../../../electron/store/retention/retention.ts';
import { secretsOf, usualSecrets } from '../../../shared/secrets/mask.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const ID = 'cmd-npm_test-2026-01-13T10-30-05-abc123';
const record = {
  ...{ version: 1, artifact_id: ID, kind: 'cmd', label: 'npm test', command: 'npm', args: ['test'] },
  ...{ cwd: '/w', env_names: null, session: 'default', agent: null, origin: null, status: 'failed' },
  ...{ exit_code: 3, signal: null, started_at: '2026-01-13T10:30:05Z', ended_at: '2026-01-13T10:30:09Z' },
  ...{
    duration_ms: 4000,
    warnings: [],
    recorder: null,
    stop: null,
    streams: [],
    times: null,
    terminal: null,
  },
} as unknown as CaptureRecord;

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

describe('keys', () => {
  it('hold what a list filters by, and are read back', () => {
    const place = placeOf(record, 'team', 'build 7/é');
    const key = folderOf(place);
    expect(key).toBe(`v1/team/failed/2026-01-13/10/build_7_/${ID}~3~npm_test/`);
    expect(parseKey(`${key}record.json`)).toEqual({ place, object: 'record.json' });
  });

  it.each([
    [{ status: 'succeeded', exit_code: 0 }, /^v1\/s\/ok\/.*~0~npm_test\/$/],
    [{ status: 'failed', exit_code: null, signal: 'SIGKILL' }, /^v1\/s\/failed\/.*~SIGKILL~npm_test\/$/],
    [{ status: 'finished', exit_code: null, label: '../~' }, /^v1\/s\/ok\/.*~-~__{1,2}\/$/],
    [{ label: '' }, /~3~_\/$/],
  ])('of %j', (change, key) => {
    expect(folderOf(placeOf({ ...record, ...change } as CaptureRecord, 's', 'h'))).toMatch(key);
  });

  it.each([
    'v1/s/failed/2026-01-13/10/h/record.json',
    `v2/s/failed/2026-01-13/10/h/${ID}~3~x/record.json`,
    'v1/s/ok/2026-01-13/10/h/..~3~x/record.json',
  ])('leave out what is not ours: %s', (key) => {
    expect(parseKey(key)).toBeNull();
  });

  it('are found by an id alone', () => {
    expect(hourOf(ID)).toEqual({ day: '2026-01-13', hour: '10' });
    expect(beganAt(ID)).toBe(Date.UTC(2026, 0, 13, 10, 30, 5));
    expect(hourOf('app.log')).toBeNull();
  });
});

describe('footer', () => {
  it.each([0, 1, 3, 20_000])('of %i members is read back from the end of the file', (count) => {
    const members = Array.from({ length: count }, (_, i) => ({
      ...{ bytes: 100 + i * 13, text: 524_288 - i, newlines: i % 3 === 0 ? 0 : i * 7 },
    }));
    const file = Buffer.concat([gzipSync('text'), footerOf(members)]);
    const length = footerLength(file)!;
    expect(parseFooter(file.subarray(file.length - length))).toEqual(members);
  });

  it('is no text to gunzip', () => {
    const file = Buffer.concat([
      gzipSync('a\n'),
      gzipSync('b\n'),
      footerOf([{ bytes: 22, text: 2, newlines: 1 }]),
    ]);
    expect(gunzipSync(file).toString()).toBe('a\nb\n');
  });

  it('is not seen in another file', () => {
    expect(footerLength(gzipSync('text'))).toBeNull();
    expect(footerLength(Buffer.from('short'))).toBeNull();
    expect(parseFooter(gzipSync('some other text of more bytes, so that it may be one'))).toBeNull();
  });

  // Three members of 10 bytes with 2, 0 and 3 line ends: line 3 goes from the first into the last.
  const members = [2, 0, 3].map((newlines) => ({ bytes: 9, text: 10, newlines }));
  it.each([
    [1, 2, [0, 0]],
    [3, 3, [0, 2]],
    [4, 5, [2, 2]],
    [9, 12, [2, 2]],
    [1, 99, [0, 2]],
  ])('tells the members of lines %i to %i', (from, to, expected) => {
    expect(membersOfLines(members, from, to)).toEqual(expected);
  });
  it.each([
    [0, 10, [0, 0]],
    [5, 11, [0, 1]],
    [25, 99, [2, 2]],
  ])('tells the members of bytes %i to %i', (from, to, expected) => {
    expect(membersOfBytes(members, from, to)).toEqual(expected);
  });
});

describe('what leaves', () => {
  const token = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const masked = async (text: string | Buffer, parts = 7) => {
    const bytes = Buffer.from(text);
    const step = Math.ceil(bytes.length / parts);
    const source = Array.from({ length: parts }, (_, i) => bytes.subarray(i * step, (i + 1) * step));
    const all: Buffer[] = [];
    for await (const part of maskedText(Readable.from(source), usualSecrets)) all.push(Buffer.from(part));
    return Buffer.concat(all);
  };

  it('has the same bytes where nothing is secret, also where they are no text', async () => {
    const bytes = Buffer.from(Array.from({ length: 900_000 }, (_, i) => (i * 7919 + (i >> 8)) & 255));
    expect((await masked(bytes)).equals(bytes)).toBe(true);
  });

  it.each([
    ['in plain text', `x ${token}\n`],
    ['beside letters of several bytes', `é ${token} 漢字\n`],
    ['with a colour', `\u001b[31m${token}\u001b[0m end\n`],
    ['in what is not UTF-8', Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(`${token}\n`)])],
  ])('has a secret masked %s, and keeps its length', async (_, text) => {
    const bytes = Buffer.from(text);
    const shown = await masked(bytes, 1);
    expect(shown.toString('latin1')).toBe(bytes.toString('latin1').replace(token, '*'.repeat(token.length)));
  });

  it('has each secret masked wherever a block ends', async () => {
    const line = `${'x'.repeat(3000)} ${token} ${'é'.repeat(17)}\n`;
    const text = line.repeat(400);
    expect((await masked(text)).toString()).toBe(text.replaceAll(token, '*'.repeat(token.length)));
    const one = `${'x,'.repeat(1500)} ${token} `.repeat(400);
    expect((await masked(one)).toString()).toBe(one.replaceAll(token, '*'.repeat(token.length)));
  });

  it('has the whole of a private key masked where a block ends in it', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${`${'QUJD'.repeat(16)}\n`.repeat(60)}-----END RSA PRIVATE KEY-----\n`;
    const lines = 'nothing to see in this line\n'.repeat(70);
    const text = (lines + key).repeat(100);
    const shown = (await masked(text)).toString();
    expect(shown).not.toContain('QUJD');
    expect(shown.length).toBe(text.length);
  });

  it('is gzip of members that are small, with their figures at the end', async () => {
    const text = Array.from({ length: 200_000 }, (_, i) => `line ${i}\n`).join('');
    const path = join(folder, 'stdout.gz');
    const packed = await pack(Readable.from([Buffer.from(text)]), usualSecrets, path);
    const file = readFileSync(path);
    expect(gunzipSync(file).toString()).toBe(text);
    expect(packed).toMatchObject({ bytes: file.length, text: text.length, newlines: 200_000 });
    const members = parseFooter(file.subarray(file.length - footerLength(file)!))!;
    expect(members.length).toBe(Math.ceil(text.length / 524_288));
    let at = 0;
    const parts = members.map(({ bytes }) => {
      at += bytes;
      return gunzipSync(file.subarray(at - bytes, at));
    });
    expect(parts.map((part) => part.length)).toEqual(members.map((member) => member.text));
    expect(Buffer.concat(parts).toString()).toBe(text);
  });

  it('has the texts of the record masked, and no name changed', () => {
    const secrets = secretsOf({ patterns: ['abc123|hush'], except: [] });
    const shown = maskedRecord({ ...record, args: ['--token', token], warnings: ['hush'] }, secrets);
    expect(shown.args).toEqual(['--token', '*'.repeat(token.length)]);
    expect(shown.warnings).toEqual(['****']);
    expect(shown.artifact_id).toBe(ID);
  });

  it.each([
    [{ GITHUB_SERVER_URL: 'https://g', GITHUB_REPOSITORY: 'a/b', GITHUB_RUN_ID: '7', GITHUB_SHA: 'f00' }],
    [{ CI_JOB_URL: 'https://g/a/b/actions/runs/7', CI_COMMIT_SHA: 'f00' }],
  ])('tells the job, from %j', (env) => {
    expect(madeIn(env)).toEqual({
      ...{ host: hostname(), job: 'https://g/a/b/actions/runs/7', commit: 'f00', branch: null },
    });
  });
});

describe('credentials', () => {
  const file = () => join(folder, 'credentials');
  it('come from the variables before a file', () => {
    writeFileSync(file(), '[default]\naws_access_key_id = F\naws_secret_access_key = f\n');
    const env = { AWS_SHARED_CREDENTIALS_FILE: file(), HOME: folder };
    expect(findCredentials(env)).toEqual({ accessKeyId: 'F', secretAccessKey: 'f' });
    expect(
      findCredentials({ ...env, AWS_ACCESS_KEY_ID: 'V', AWS_SECRET_ACCESS_KEY: 'v', AWS_SESSION_TOKEN: 't' }),
    ).toEqual({ accessKeyId: 'V', secretAccessKey: 'v', sessionToken: 't' });
  });

  it('come from the profile that is named', () => {
    writeFileSync(
      file(),
      '[a]\naws_access_key_id=A\naws_secret_access_key=a\n[b]\r\naws_access_key_id = B\r\naws_secret_access_key = b=\r\n',
    );
    const env = { AWS_SHARED_CREDENTIALS_FILE: file(), AWS_PROFILE: 'b', HOME: folder };
    expect(findCredentials(env)).toEqual({ accessKeyId: 'B', secretAccessKey: 'b=' });
    expect(() => findCredentials({ ...env, AWS_PROFILE: 'c' })).toThrow(/"c".*AWS_ACCESS_KEY_ID/);
  });
});

describe('the setting', () => {
  const loaded = (archive: unknown) => {
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ archive }));
    return loadConfig(folder);
  };
  it('has defaults beside the bucket', () => {
    const { settings, warnings } = loaded({ url: 's3://logs/ci' });
    expect(warnings).toEqual([]);
    expect(settings.archive).toMatchObject({
      endpoint: null,
      space: 'main',
      ship: 'failed',
      bandwidth: null,
    });
  });

  it.each([
    [
      {},
      'archive must be a set such as {"url": "s3://BUCKET", "ship": "failed"}, or null, not {}: its default (none)',
    ],
    [{ url: 'https://x' }, 'archive.url must be "s3://BUCKET" or "s3://BUCKET/PREFIX", not "https://x"'],
    [{ url: 's3://logs', ship: 'some' }, 'archive.ship must be one of "failed", "all", "none", not "some"'],
    [{ url: 's3://logs', spaces: 'a' }, 'archive has no "spaces", did you mean space?'],
    [
      { url: 's3://logs', maxSpoolBytes: -1 },
      'archive.maxSpoolBytes must be a whole number of 0 or more, not -1',
    ],
    ['s3://logs', 'archive must be a set such as {"url": "s3://BUCKET", "ship": "failed"}, or null'],
  ])('that is wrong is named: %j', (archive, problem) => {
    const { settings, warnings } = loaded(archive);
    expect(warnings).toEqual([expect.stringContaining(`config.json: ${problem}`)]);
    expect(settings.archive).toBeNull();
  });
});

describe('cleanup', () => {
  it('spares the newest of what is not shipped, as far as there is room', () => {
    const captures = [1, 2, 3, 4].map((hour) => ({
      ...{ id: `c${hour}`, folder: '/h/captures/s', gone: null, newer: false, pinned: false, problem: null },
      ...{ record: { ...record, ended_at: `2026-01-13T0${hour}:00:00Z` }, files: [], bytes: 100 },
    }));
    const folders = [
      { path: '/h/captures/s', session: null, writtenMs: 0, captures },
    ] as unknown as SessionFolder[];
    const rules: Rules = {
      ...{ olderThanMs: 1, maxTotalBytes: null, ids: null, keep: new Set(), all: false, abandoned: true },
      spool: { isWaiting: ({ id }) => id !== 'c4', maxBytes: 250 },
    };
    const judged = judge(folders, rules, Date.parse('2026-02-01'));
    expect(judged.map(({ verdict }) => verdict)).toEqual([
      ...[{ goes: 'age' }, { stays: 'unshipped' }, { stays: 'unshipped' }, { goes: 'age' }],
    ]);
  });
});
