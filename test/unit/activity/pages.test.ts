/** Reads the activity log in pages, newest first, while agents add to it and its oldest file is removed. */
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { activityPage } from '../../../electron/host/activity.ts';
import type { Activity, ActivityEntry, ActivityParams } from '../../../shared/activity.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let home: string;
const log = (name: string) => join(home, 'run', `activity-1-${name}.jsonl`);

beforeEach(() => {
  home = makeFolder();
  mkdirSync(join(home, 'run'));
});
afterEach(() => removeFolder(home));

function add(name: string, ...minutes: number[]): void {
  for (const minute of minutes) {
    const entry: ActivityEntry = {
      at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
      ...{ agent: 'test', session: 's', connection: '1.1', tool: 'list_outputs', what: String(minute) },
      ...{ reads: [], bytes: 1, duration_ms: 1, ok: true },
    };
    appendFileSync(log(name), `${JSON.stringify(entry)}\n`);
  }
}

const page = (params: ActivityParams) => activityPage(home, params, { all: [], passed: async () => null });
const what = ({ entries }: Activity) => entries.map((one) => Number(one.what));

it('gives the newest, what is older, and what was added, each once', async () => {
  add('a', 1, 3, 5, 7);
  add('b', 2, 4, 6);
  const first = await page({ limit: 3 });
  expect(first).toMatchObject({ whole: true, from: 4 });
  expect(what(first)).toEqual([7, 6, 5]);
  add('b', 8);
  appendFileSync(log('b'), '{"cut by a crash\n');
  add('b', 9, 10);
  const older = await page({ known: first.state, before: first.from, limit: 3 });
  expect(what(older)).toEqual([4, 3, 2]);
  expect(what(await page({ known: older.state, before: older.from, limit: 3 }))).toEqual([1]);
  const added: number[] = [];
  let { state } = older;
  for (let i = 0; i < 4; i += 1) {
    const more = await page({ known: state, limit: 2 });
    expect(more.whole).toBe(false);
    added.unshift(...what(more));
    ({ state } = more);
  }
  expect(added).toEqual([10, 9, 8]);
});

it('begins again once entries were removed', async () => {
  add('a', 1, 2);
  add('b', 3);
  const { state } = await page({});
  rmSync(log('a'));
  add('b', 4);
  const again = await page({ known: state });
  expect(again).toMatchObject({ whole: true, from: 0 });
  expect(what(again)).toEqual([4, 3]);
});
