/**
 * Finished streams become gzip files with the same text, also for random access. No fault while compressing loses text.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStream } from '../../../electron/reader/bytes/streams.ts';
import { Unpacking } from '../../../electron/reader/gzip/unpack.ts';
import { gzipFile, MEMBER_BYTES } from '../../../electron/store/contents/gzip-file.ts';
import { recordFile } from '../../../electron/store/format/names.ts';
import { thisProcess } from '../../../electron/store/format/owner.ts';
import { cleanUp } from '../../../electron/store/retention/cleanup.ts';
import { compressStreams } from '../../../electron/store/retention/compress.ts';
import { markEnded, useSession } from '../../../electron/store/retention/sessions.ts';
import { diskHere } from '../../fixtures/disk.ts';
import fc from '../../fixtures/fast-check.ts';
import {
  DEAD,
  filesBelow,
  HOUR,
  makeHome,
  type StoredOptions,
  storeCapture,
} from '../../fixtures/library/stored-captures.ts';
import { cases } from '../../fixtures/sizes.ts';

let home: string;
let remove: () => void;
const NOW = Date.now();
const TEXT = Array.from({ length: 200_000 }, (_, index) => `line ${index + 1} of many\n`).join('');

beforeEach(() => {
  ({ home, remove } = makeHome());
});
afterEach(() => remove());

const put = (options: StoredOptions = {}) =>
  storeCapture(home, { session: 'build', text: TEXT, ended: NOW - 2 * HOUR, ...options });
const endSession = (session = 'build') => markEnded(home, session, new Date(NOW));
const compress = (options: Partial<Parameters<typeof compressStreams>[1]> = {}) =>
  compressStreams(home, { above: 1024 * 1024, minFreeBytes: 0, rest: 0, now: NOW, ...options });

describe('a finished stream', () => {
  test('of a session that ended becomes a gzip file that zcat reads, while the record goes on naming it', async () => {
    const { id, path, folder, record } = put();
    endSession();
    const [done, ...others] = await compress();
    expect(others).toEqual([]);
    expect(done).toMatchObject({ artifact_id: id, path: `${path}.gz`, before: TEXT.length });
    expect(existsSync(path!)).toBe(false);
    expect(execFileSync('zcat', [`${path}.gz`], { maxBuffer: 2 ** 26 }).toString()).toBe(TEXT);
    const { size, mode, mtimeMs } = statSync(`${path}.gz`);
    expect({ size, mode: mode & 0o777, mtimeMs: Math.round(mtimeMs) }).toEqual({
      size: done!.after,
      mode: 0o600,
      mtimeMs: NOW - 2 * HOUR,
    });
    expect(JSON.parse(readFileSync(join(folder, recordFile(id)), 'utf8'))).toEqual(record);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(await compress()).toEqual([]);
  });

  test('is read at random from its members, without being unpacked', async () => {
    const { path } = put();
    endSession();
    await compress();
    const file = await diskHere.open(`${path}.gz`);
    const unpacking = new Unpacking(file, 'gzip', { folder: () => expect.unreachable('it is unpacked') });
    await unpacking.all();
    const { handle, problem } = unpacking;
    expect(problem).toBe(null);
    expect(handle).toMatchObject({ type: 'members', size: TEXT.length });
    const source = openStream(handle);
    const into = Buffer.alloc(100);
    for (const at of [0, MEMBER_BYTES - 50, 2 * MEMBER_BYTES, TEXT.length - 30]) {
      const got = source.read(into, at);
      expect(into.subarray(0, got).toString()).toBe(TEXT.slice(at, at + 100));
    }
    file.close();
  });

  test('of a session that was left alone for an hour is compressed, too', async () => {
    put({ ended: NOW - HOUR });
    expect(await compress({ now: NOW + HOUR / 2 })).toEqual([]);
    expect(await compress({ now: NOW + 2 * HOUR })).toHaveLength(1);
  });

  const LATER = NOW + 2 * HOUR;
  test.each<[string, StoredOptions, Parameters<typeof compress>[0]]>([
    ['its session was in use within the hour', { ended: LATER - HOUR / 2 }, {}],
    ['it is no larger than the setting says', {}, { above: TEXT.length }],
    ['the setting says never', {}, { above: 0 }],
    ['it is still recorded', { recorder: thisProcess() }, {}],
    ['what it left in the background is still recorded', { recorder: thisProcess(), status: 'failed' }, {}],
    ['the disk has no room for both', {}, { minFreeBytes: Number.MAX_SAFE_INTEGER }],
  ])('stays as it is while %s', async (_, options, settings) => {
    const { path } = put(options);
    expect(await compress({ now: LATER, ...settings })).toEqual([]);
    expect(readFileSync(path!, 'utf8')).toBe(TEXT);
    expect(filesBelow(home).filter((file) => /\.(gz|tmp)$/.test(file))).toEqual([]);
  });

  test('waits while another of its session is still recorded', async () => {
    put();
    const running = put({ recorder: thisProcess() });
    expect(await compress({ now: LATER })).toEqual([]);
    rmSync(join(running.folder, recordFile(running.id)));
    expect(await compress({ now: LATER })).toHaveLength(1);
  });

  test('of a session that ended, but went on, waits for the hour', async () => {
    useSession(home, { session: 'build' });
    markEnded(home, 'build', new Date(NOW - HOUR / 2));
    put({ ended: NOW - HOUR / 4 });
    expect(await compress()).toEqual([]);
  });

  test('that does not shrink stays, and is not tried again', async () => {
    const { path } = put({ text: randomBytes(2 * 1024 * 1024) });
    const half = put({
      text: Buffer.concat([Buffer.from(TEXT.slice(0, 200_000)), randomBytes(3 * 1024 * 1024)]),
    });
    endSession();
    const tried = new Set<string>();
    expect(await compress({ tried })).toEqual([]);
    expect([path, half.path].every((one) => existsSync(one!))).toBe(true);
    expect(tried.size).toBe(2);
    expect(filesBelow(home).filter((file) => /\.(gz|tmp)$/.test(file))).toEqual([]);
  });

  test('is read on through descriptors that were open', async () => {
    const { path } = put();
    const fd = openSync(path!, 'r');
    endSession();
    await compress();
    const into = Buffer.alloc(64);
    readSync(fd, into, 0, 64, 1_000_000);
    expect(into.toString()).toBe(TEXT.slice(1_000_000, 1_000_064));
    closeSync(fd);
  });
});

describe('on the way', () => {
  test('stopped before the original went, both are there, and the next time it goes', async () => {
    const { path } = put();
    endSession();
    await compress();
    writeFileSync(path!, TEXT);
    expect(await compress()).toHaveLength(1);
    expect(existsSync(path!)).toBe(false);
    expect(execFileSync('zcat', [`${path}.gz`], { maxBuffer: 2 ** 26 }).toString()).toBe(TEXT);
  });

  test('cancelled at any moment, the original is whole and nothing else is left', async () => {
    const { path, folder } = put();
    endSession();
    for (const members of [0, 1, 3]) {
      const stop = new AbortController();
      let turns = 0;
      const timer = setInterval(() => {
        const temporary = readdirSync(folder).find((name) => name.endsWith('.tmp'));
        if (temporary && turns++ >= members) stop.abort();
      }, 1);
      await compress({ signal: stop.signal, rest: 3 }).catch((error) =>
        expect(error.name).toBe('AbortError'),
      );
      clearInterval(timer);
      if (existsSync(path!)) {
        expect(readFileSync(path!, 'utf8')).toBe(TEXT);
        expect(readdirSync(folder).filter((name) => /\.(gz|tmp)$/.test(name))).toEqual([]);
      }
    }
  });

  test('a capture that is removed meanwhile leaves nothing', async () => {
    const { id, path, folder } = put();
    endSession();
    const removing = setInterval(() => {
      if (!readdirSync(folder).some((name) => name.endsWith('.tmp'))) return;
      rmSync(join(folder, recordFile(id)), { force: true });
    }, 1);
    expect(await compress({ rest: 3 })).toEqual([]);
    clearInterval(removing);
    expect(readdirSync(folder).filter((name) => /\.(gz|tmp)$/.test(name))).toEqual([]);
    expect(existsSync(path!)).toBe(true);
  });

  test('a file that changes under it is left as it is', async () => {
    const { path, folder } = put();
    endSession();
    const changing = setInterval(() => {
      if (!readdirSync(folder).some((name) => name.endsWith('.tmp'))) return;
      writeFileSync(`${path}.new`, 'other');
      renameSync(`${path}.new`, path!);
      clearInterval(changing);
    }, 1);
    expect(await compress({ rest: 3 })).toEqual([]);
    clearInterval(changing);
    expect(readFileSync(path!, 'utf8')).toBe('other');
  });

  test('neither a link in its place is followed, nor what stands where it should go replaced', async () => {
    const linked = put();
    const target = join(home, 'precious.log');
    renameSync(linked.path!, target);
    symlinkSync(target, linked.path!);
    const blocked = put();
    symlinkSync(target, `${blocked.path}.gz`);
    endSession();
    expect(await compress()).toEqual([]);
    expect(readFileSync(target, 'utf8')).toBe(TEXT);
    expect(readFileSync(blocked.path!, 'utf8')).toBe(TEXT);
  });

  test('what a dead recorder left is put together first, and compressed after that', async () => {
    put({ recorder: DEAD });
    endSession();
    expect(await compress()).toEqual([]);
    await cleanUp(home, { retentionHours: 24, maxTotalBytes: 2 ** 40 });
    expect(await compress()).toHaveLength(1);
  });
});

test('any bytes come back as they were', async () => {
  const path = join(home, 'text');
  const block = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.nat(3 * MEMBER_BYTES).map((length) => new Uint8Array(length)),
    fc
      .constantFrom(MEMBER_BYTES - 1, MEMBER_BYTES, MEMBER_BYTES + 1)
      .map((length) => new Uint8Array(length).fill(10)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(block, { maxLength: 4 }), async (blocks) => {
      const text = Buffer.concat(blocks);
      writeFileSync(path, text);
      const fd = openSync(path, 'r');
      const target = `${path}.gz`;
      const size = await gzipFile(fd, text.length, target, { atimeMs: 0, mtimeMs: 1000 }, { rest: 0 });
      closeSync(fd);
      expect(statSync(target)).toMatchObject({ size, mtimeMs: 1000 });
      if (text.length > 0)
        expect(execFileSync('zcat', [target], { maxBuffer: 2 ** 26 }).equals(text)).toBe(true);
      rmSync(target);
    }),
    { numRuns: cases(60) },
  );
});
