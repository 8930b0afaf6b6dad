/** SQLite databases of agents, read without SQLite (fixtures/sqlite/make.py says what is in them). */
import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StoreReader, Stores } from '../../../electron/agents/facts/stores.ts';
import { columnsOf, Pages, rows, tableNamed, type Value } from '../../../electron/reader/sqlite.ts';
import { diskHere } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { untilPasses } from '../../fixtures/until.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/sqlite', import.meta.url));
const unpacked = (name: string) => gunzipSync(readFileSync(join(fixtures, `${name}.gz`)));

let folder: string;
let path: string;
beforeEach(() => {
  folder = makeFolder();
  path = join(folder, 'store.db');
  writeFileSync(path, unpacked('store.db'));
});
afterEach(() => removeFolder(folder));

/** Rows of a table, the newest first. */
function read(name: string): ReadonlyMap<string, Value>[] {
  const pages = new Pages(path);
  try {
    const table = tableNamed(pages, name);
    return table === null ? [] : [...rows(pages, table)].map((row) => row.values());
  } finally {
    pages.close();
  }
}

const stateOf = (row: ReadonlyMap<string, Value> | undefined) => JSON.parse(String(row?.get('data'))).state;

describe('a database', () => {
  it('gives every row of a table, newest first, long rows whole', () => {
    const parts = read('part');
    expect(parts).toHaveLength(600);
    expect(parts[0]!.get('id')).toBe('prt_299');
    expect(stateOf(parts[0])).toMatchObject({ status: 'running', input: { command: 'make 299' } });
    expect(stateOf(parts[10]).output).toBe('line 294\n'.repeat(600));
    expect(parts.at(-1)!.get('id')).toBe('prt_t0');
    expect([parts[0]!.get('time_updated'), parts[1]!.get('time_updated')]).toEqual([2 ** 40, -1]);
    expect(read('session').map((row) => row.get('directory'))).toEqual(['/home/dev/work/acme-api']);
    expect(read('nothing')).toEqual([]);
  });

  it('that is open gives the committed rows of its log, and no others', () => {
    writeFileSync(`${path}-wal`, unpacked('live.db-wal'));
    const parts = read('part');
    expect(parts).toHaveLength(600);
    expect(stateOf(parts[0])).toMatchObject({ status: 'completed', metadata: { exit: 3 } });
    expect(stateOf(parts[598])).toMatchObject({ input: { command: 'make 0' } });
  });

  it('is read while its log is half-written or from before a checkpoint', () => {
    const log = unpacked('live.db-wal');
    for (const length of [0, 20, 32, 100, 32 + 4120, 32 + 4120 * 3 + 7]) {
      writeFileSync(`${path}-wal`, log.subarray(0, length));
      expect(stateOf(read('part')[0]).status).toBe('running');
    }
    const renewed = Buffer.from(log);
    renewed.writeUInt32BE(7, 16);
    writeFileSync(`${path}-wal`, renewed);
    expect(stateOf(read('part')[0]).status).toBe('running');
  });

  it('is refused when it is damaged, cut off or another kind of file', () => {
    const whole = readFileSync(path);
    const cases: Buffer[] = [Buffer.from('x'), Buffer.from('SQLite format 3\0'), whole.subarray(0, 8192)];
    for (let at = 100; at < 60_000; at += 997) {
      const damaged = Buffer.from(whole);
      damaged.fill(0xff, at, at + 40);
      cases.push(damaged);
    }
    for (const bytes of cases) {
      writeFileSync(path, bytes);
      try {
        expect(read('part').length).toBeLessThanOrEqual(600);
      } catch (error) {
        expect((error as Error).name).toMatch(/^(Error|RangeError)$/);
      }
    }
  });

  it('stays unchanged, and gets no file beside it', () => {
    const before = readFileSync(path);
    read('part');
    expect(readdirSync(folder)).toEqual(['store.db']);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('the columns of a table', () => {
  it.each([
    ['CREATE TABLE a (b, c)', ['b', 'c']],
    ['CREATE TABLE a (`b c` text, "d" int DEFAULT (1, 2), [e] text DEFAULT \'x,(\')', ['b c', 'd', 'e']],
    ['CREATE TABLE a (id text, PRIMARY KEY (id), CHECK (id > 1), "check" text)', ['id', 'check']],
    ['CREATE TABLE a (b int, "added" text)', ['b', 'added']],
  ])('%s', (sql, names) => {
    expect(columnsOf(sql)).toEqual(names);
  });
});

describe('the cache of a database', () => {
  const reader: StoreReader<Map<string, string>> = {
    empty: () => new Map(),
    tables: [
      {
        name: 'part',
        mark: '"type":"tool"',
        take: (row, told) => told.set(String(row.get('id')), stateOf(row).status),
      },
    ],
  };
  const stores = new Stores(diskHere);

  it('follows its log, and stays when the database cannot be read any more', async () => {
    const told = await stores.read(path, reader);
    expect(told?.size).toBe(300);
    expect(told?.get('prt_299')).toBe('running');
    writeFileSync(`${path}-wal`, unpacked('live.db-wal'));
    await untilPasses(async () =>
      expect((await stores.read(path, reader))?.get('prt_299')).toBe('completed'),
    );
    truncateSync(path, 5000);
    appendFileSync(path, 'x');
    await untilPasses(async () => expect((await stores.read(path, reader))?.size).toBe(300));
  });

  it('holds nothing for a missing database and for a link to one', async () => {
    const { symlinkSync } = await import('node:fs');
    copyFileSync(path, join(folder, 'other'));
    symlinkSync(join(folder, 'other'), join(folder, 'link.db'));
    expect(await stores.read(join(folder, 'none.db'), reader)).toBeNull();
    expect(await stores.read(join(folder, 'link.db'), reader)).toBeNull();
  });
});
