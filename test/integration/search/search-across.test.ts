import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { mergeAcross } from '../../../electron/host/search/search-across.ts';
import type { AcrossEvent } from '../../../shared/api/search.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { until } from '../../fixtures/until.ts';

let folder: string;
let host: Host;
const stops: (() => void)[] = [];

beforeEach(async () => {
  folder = makeFolder();
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 2 });
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await host.close();
  removeFolder(folder);
});

const query = { pattern: 'needle \\d', fixed: false, case_sensitive: true, invert: false };

async function across(artifact_ids: string[], pattern = query.pattern) {
  const events: AcrossEvent[] = [];
  const errors: Error[] = [];
  const stop = host.watchAcross(
    { query: { ...query, pattern }, artifact_ids },
    (event) => events.push(event),
    (error) => errors.push(error),
  );
  stops.push(stop);
  return { events, errors, stop };
}

/** Ids of files with so many needles each, by their names. */
async function files(needles: readonly number[], filler = 100): Promise<string[]> {
  const place = join(folder, 'logs');
  mkdirSync(place);
  for (const [index, count] of needles.entries()) {
    const lines = Array.from({ length: count }, (_, i) => `needle ${i % 10}\n`).join('');
    writeFileSync(join(place, `${String(index).padStart(4, '0')}.log`), 'hay\n'.repeat(filler) + lines);
  }
  await host.openPath({ path: place });
  const { outputs } = await host.list({ kind: 'file', limit: 1000 });
  const nameOf = (path: string | null | undefined) => path ?? '';
  return [...outputs]
    .sort((a, b) => (nameOf(a.streams[0]?.file_path) < nameOf(b.streams[0]?.file_path) ? -1 : 1))
    .map(({ artifact_id }) => artifact_id);
}

describe('a search across artifacts', () => {
  it('counts what each of hundreds holds, and names those without matches only in the number searched', async () => {
    const needles = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? i + 1 : 0));
    const ids = await files(needles);
    const { events } = await across(ids);
    const last = await until(() => events.find(({ done }) => done));
    expect([last.searched, last.unreadable]).toEqual([300, 0]);
    const counts = new Map(events.flatMap(({ found }) => found.map((each) => [each.artifact_id, each])));
    expect(ids.map((id) => counts.get(id)?.match_count ?? 0)).toEqual(needles);
    expect([...counts.values()].every(({ done }) => done)).toBe(true);
  });

  it('goes on past what is gone, and what is binary', async () => {
    const ids = await files([2, 0]);
    writeFileSync(join(folder, 'x.bin'), Buffer.alloc(5000, 'needle 1\0'));
    const [binary] = await host.openPath({ path: join(folder, 'x.bin') });
    const { events } = await across(['file-gone', binary!.artifact_id, ...ids]);
    const last = await until(() => events.find(({ done }) => done));
    expect([last.searched, last.unreadable]).toEqual([4, 2]);
    expect(events.flatMap(({ found }) => found.map(({ match_count }) => match_count))).toContain(2);
  });

  it('says what is wrong with a pattern before anything is read', async () => {
    const { events, errors } = await across(await files([1]), '(');
    await until(() => errors[0] ?? null);
    expect(errors[0]!.message).toContain('not a valid pattern');
    expect(events).toEqual([]);
  });

  it('ends when it is stopped', async () => {
    const ids = await files([1, 1, 1, 1], 2_000_000);
    const events: AcrossEvent[] = [];
    // At its first news: a look some milliseconds later may find it done.
    const stop = host.watchAcross(
      { query, artifact_ids: ids },
      (event) => {
        events.push(event);
        stop();
      },
      () => {},
    );
    stops.push(stop);
    await until(() => events[0] ?? null);
    // Another search of the same files comes to its end; the stopped one says nothing more.
    const other = await across(ids);
    await until(() => other.events.find(({ done }) => done) ?? null);
    expect(events.length).toBe(1);
    expect(events.some(({ done }) => done)).toBe(false);
  });

  it('may be told late: two events merge into one with the same effect', () => {
    const of = (artifact_id: string, match_count: number) => ({ artifact_id, match_count, done: false });
    const first = { found: [of('a', 1), of('b', 2)], searched: 1, unreadable: 0, done: false };
    const next = { found: [of('a', 7)], searched: 3, unreadable: 1, done: true };
    expect(mergeAcross(first, next)).toEqual({ ...next, found: [of('a', 7), of('b', 2)] });
  });
});
