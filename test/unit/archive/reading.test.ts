/** Reading the archive, over a store in memory that answers ranges and pages as S3 does. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Copies, type Wanted } from '../../../electron/archive/copies.ts';
import { folderOf, placeOf } from '../../../electron/archive/keys.ts';
import { findArchived, listArchive } from '../../../electron/archive/list.ts';
import { sessionFolder } from '../../../electron/store/format/names.ts';
import type { CaptureRecord } from '../../../electron/store/format/record.ts';
import { idAt, objectsOf } from '../../fixtures/archived.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const objects = new Map<string, Buffer>();
let asked: string[];
/** Requests that have no answer yet, and how often one began while there was none. */
let open = 0;
let rounds = 0;
const store = {
  link: (key: string) => `s3://b/${key}`,
  async get(key: string, range?: string) {
    asked.push(`${key.slice(key.lastIndexOf('/') + 1)} ${range ?? 'all'}`);
    if (open++ === 0) rounds++;
    await new Promise(setImmediate);
    open--;
    const whole = objects.get(key);
    if (!whole) return null;
    const [, from, to] = /^(\d*)-(\d*)$/.exec(range ?? '0-') ?? [];
    const content =
      from === ''
        ? whole.subarray(-Number(to))
        : whole.subarray(Number(from), to ? Number(to) + 1 : undefined);
    return { content, size: whole.length };
  },
  async *list(prefix: string) {
    asked.push(prefix);
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    // Ceph's pages have some fewer than the 1,000 that are asked for.
    for (let at = 0; at === 0 || at < keys.length; at += 990)
      yield {
        objects: keys.slice(at, at + 990).map((key) => ({ key, bytes: objects.get(key)!.length })),
        isLast: at + 990 >= keys.length,
      };
  },
};

let home: string;
beforeEach(() => {
  home = makeFolder();
  objects.clear();
  asked = [];
});
afterEach(() => removeFolder(home));

const NOW = Date.UTC(2026, 0, 14, 12);

async function put(id: string, text: string, options: Parameters<typeof objectsOf>[3] = {}) {
  for (const [key, content] of await objectsOf(home, id, text, options)) objects.set(key, content);
  return (await findArchived(store, 'main', id))!;
}

it('lists what is committed, newest first, by outcome, machine and time', async () => {
  const hour = 3_600_000;
  await put(idAt(NOW - hour), 'a\n', { host: 'a' });
  await put(idAt(NOW - 2 * hour), 'a\n', { host: 'b', status: 'succeeded' });
  await put(idAt(NOW - 30 * hour), 'a\n', { host: 'b' });
  await put(idAt(NOW - 3 * hour), 'a\n', { commit: false });
  const ids = async (filter: object) =>
    (
      await listArchive(store, {
        home,
        space: 'main',
        since: NOW - 48 * hour,
        now: NOW,
        ...filter,
      })
    ).map(({ place }) => place.id);
  const all = [idAt(NOW - hour), idAt(NOW - 2 * hour), idAt(NOW - 30 * hour)];
  expect(await ids({})).toEqual(all);
  expect(await ids({ outcome: 'failed' })).toEqual([all[0], all[2]]);
  expect(await ids({ host: 'b' })).toEqual([all[1], all[2]]);
  expect(await ids({ since: NOW - 3 * hour })).toEqual([all[0], all[1]]);
  expect(await ids({ limit: 1 })).toEqual([all[0]]);
  expect(await ids({ space: 'other' })).toEqual([]);
});

it('remembers a day that is over, but not for long, and lists a full one hour by hour', async () => {
  const day = Date.UTC(2026, 0, 12);
  for (let i = 0; i < 1200; i += 1) {
    const record = {
      artifact_id: idAt(day + i * 60_000, i),
      label: 'x',
      status: 'failed',
      exit_code: 1,
      signal: null,
    };
    objects.set(`${folderOf(placeOf(record as CaptureRecord, 'main', 'h'))}record.json`, Buffer.from('{}'));
  }
  const listed = async (now: number) => {
    asked = [];
    const found = await listArchive(store, { home, space: 'main', outcome: 'failed', since: day, now });
    return [found.length, asked.filter((prefix) => prefix.includes('2026-01-12')).length];
  };
  expect(await listed(NOW)).toEqual([1200, 25]);
  expect(await listed(NOW + 60_000)).toEqual([1200, 0]);
  expect(await listed(NOW + 11 * 60_000)).toEqual([1200, 25]);
});

const LINES = 400_000;
const text = Array.from({ length: LINES }, (_, i) => `line ${i + 1} of the text\n`).join('');

it.each<[string, Wanted, (copy: string) => string, string]>([
  [
    'lines in the middle',
    { lines: [200_000, 200_001] },
    (copy) => copy.split('\n').slice(199_999, 200_001).join('\n'),
    'line 200000 of the text\nline 200001 of the text',
  ],
  [
    'the last lines',
    { tail: 2 },
    (copy) => copy.split('\n').slice(-3).join('\n'),
    text.split('\n').slice(-3).join('\n'),
  ],
  [
    'bytes',
    { bytes: [5_000_000, 5_000_040] },
    (copy) => copy.slice(5_000_000, 5_000_040),
    text.slice(5_000_000, 5_000_040),
  ],
])('fetches the members of %s alone, and every line keeps its number', async (_, wanted, part, expected) => {
  const archived = await put(idAt(NOW), text, { facts: false });
  asked = [];
  rounds = 0;
  const copies = new Copies(store, home);
  const view = copies.view([await copies.fetch(archived, wanted)]);
  // Its record, the stream's end, then the first member and those of the part.
  expect(rounds).toBe(3);
  expect(asked.map((one) => one.split(' ')[0])).toEqual([
    'record.json',
    'stdout.gz',
    'stdout.gz',
    'stdout.gz',
  ]);
  const path = findFile(view);
  const copy = readFileSync(path, 'latin1');
  expect(copy.length).toBe(text.length);
  expect(copy.split('\n').length).toBe(LINES + 1);
  expect(part(copy)).toBe(expected);
  expect(statSync(path).blocks * 512).toBeLessThan(text.length / 2);
  asked = [];
  await copies.fetch(archived, wanted);
  expect(asked).toEqual([]);
  await copies.fetch(archived, { all: true });
  expect(readFileSync(path, 'latin1')).toBe(text);
  copies.leave(view);
  expect(existsSync(view)).toBe(false);
});

it('asks for the record and the members of a part where the record tells the rest', async () => {
  const lines = text.split('\n');
  const copies = new Copies(store, home);
  const archived = await put(idAt(NOW), text);
  asked = [];
  const view = copies.view([await copies.fetch(archived, { lines: [200_000, 200_001] })]);
  expect(asked.map((one) => one.split(' ')[0])).toEqual(['record.json', 'stdout.gz']);
  const copy = readFileSync(findFile(view), 'latin1').split('\n');
  expect(copy.length).toBe(LINES + 1);
  expect(copy.slice(0, 500)).toEqual(lines.slice(0, 500));
  expect(copy.slice(199_999, 200_001)).toEqual(lines.slice(199_999, 200_001));
  await copies.fetch(archived, { all: true });
  expect(readFileSync(findFile(view), 'latin1')).toBe(text);
});

it('asks for nothing but the record of a text that is short', async () => {
  const copies = new Copies(store, home);
  const archived = await put(idAt(NOW), 'one\ntwo');
  asked = [];
  const view = copies.view([await copies.fetch(archived, { all: true })]);
  expect(asked).toEqual([expect.stringContaining('record.json')]);
  expect(readFileSync(findFile(view), 'latin1')).toBe('one\ntwo');
});

it('reads the end of an object that is not the one of the record', async () => {
  const id = idAt(NOW);
  await put(id, text);
  const [[key, other]] = [...(await objectsOf(home, id, `other ${text}`))] as [[string, Buffer]];
  objects.set(key, other!);
  const archived = (await findArchived(store, 'main', id))!;
  await expect(new Copies(store, home).fetch(archived, { lines: [1, 2] })).rejects.toMatchObject({
    code: 'changed',
  });
});

it.each([
  ['cut short', (file: Buffer) => file.subarray(0, 2000)],
  [
    'changed',
    (file: Buffer) => Buffer.concat([file.subarray(0, 200), Buffer.from('!!!!'), file.subarray(204)]),
  ],
  ['empty', () => Buffer.alloc(0)],
])('refuses a stream that is %s', async (_, damage) => {
  const archived = await put(idAt(NOW), text);
  const key = `${folderOf(archived.place)}stdout.gz`;
  objects.set(key, damage(objects.get(key)!));
  await expect(new Copies(store, home).fetch(archived, { all: true })).rejects.toMatchObject({
    code: 'changed',
  });
});

function findFile(view: string): string {
  return join(sessionFolder(view, 'default'), `${idAt(NOW)}.stdout.log`);
}
