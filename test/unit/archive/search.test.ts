/** A search of the archive, over a store and a ClickHouse that answer by HTTP. */
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryOf } from '../../../electron/archive/clickhouse.ts';
import { listArchived } from '../../../electron/host/archive/reader.ts';
import { needlesOf, type SearchPlan, searchArchived } from '../../../electron/host/archive/search.ts';
import { idAt, objectsOf } from '../../fixtures/archived.ts';
import { type Bucket, startBucket } from '../../fixtures/bucket.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

describe('what ClickHouse is asked for', () => {
  const query = (pattern: string, more = {}) =>
    needlesOf({ pattern, fixed: false, case_sensitive: false, invert: false, ...more });
  it.each([
    ['no space left', { texts: ['no space left'], ignoreCase: true }],
    [String.raw`^error \d+: (disk|net)`, { texts: ['error '], ignoreCase: true }],
    ['disk|network', { texts: ['disk', 'network'], ignoreCase: true }],
    ['größe 17 mm', { texts: ['e 17 mm'], ignoreCase: true }],
    [String.raw`\d+ms`, { texts: ['ms'], ignoreCase: true }],
    [String.raw`\d+`, null],
    ['x', null],
    ['(disk)?', null],
    ['é|disk', null],
  ])('by %s', (pattern, needles) => expect(query(pattern)).toEqual(needles));

  it('by plain text that heeds case, with quotes in it', () => {
    const needles = query("it's C:\\x", { fixed: true, case_sensitive: true });
    expect(needles).toEqual({ texts: ["it's C:\\x"], ignoreCase: false });
    const sql = queryOf('http://s/b/', ['v1/a/x.gz', 'v1/b/y.gz'], needles!);
    expect(sql).toContain(String.raw`multiSearchAny(line, ['it\'s C:\\x'])`);
    expect(sql).toContain("s3('http://s/b/v1/{a/x.gz,b/y.gz}', 'LineAsString'");
  });
});

describe('a search', () => {
  const now = Date.now();
  const minute = 60_000;
  let home: string;
  let bucket: Bucket;
  let clickhouse: http.Server;
  let sql: string[];
  /** Answers a query with paths, or with a status and a text. */
  let answer: (query: string) => { status?: number; text: string };
  beforeEach(async () => {
    home = makeFolder();
    bucket = await startBucket();
    sql = [];
    clickhouse = http.createServer(async (request, response) => {
      let text = '';
      for await (const part of request) text += part;
      sql.push(text);
      const { status = 200, text: lines } = answer(text);
      response.writeHead(status).end(lines);
    });
    await new Promise<void>((resolve) => clickhouse.listen(0, '127.0.0.1', resolve));
    process.env.AWS_ACCESS_KEY_ID = 'AK';
    process.env.AWS_SECRET_ACCESS_KEY = 'SK';
  });
  afterEach(async () => {
    clickhouse.closeAllConnections();
    clickhouse.close();
    await bucket.close();
    removeFolder(home);
  });
  const config = (more = {}) => {
    const archive = { url: 's3://logs', endpoint: bucket.endpoint };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ archive, ...more }));
  };
  const withClickHouse = () => {
    const { port } = clickhouse.address() as AddressInfo;
    config({ archiveSearch: { clickhouse: `http://127.0.0.1:${port}` } });
  };
  const put = async (n: number, text: string, options = {}) => {
    const objects = await objectsOf(home, idAt(now - n * minute, n), text, options);
    for (const [key, content] of objects) bucket.objects.set(key, content);
  };
  const all = { failed: false };

  it('groups a message by its machines, and tells the first of them before the rest is read', async () => {
    for (let n = 0; n < 30; n += 1)
      await put(n, n === 3 ? 'other error\n' : `error ${n}: full\n`, { host: `h${n % 23}` });
    config();
    const told: (SearchPlan | string[])[] = [];
    const read: number[] = [];
    const found = await searchArchived(home, { pattern: 'error' }, all, {
      onPlan: (plan) => told.push(plan),
      onPage: (shapes) => {
        told.push(shapes.map(({ text }) => text));
        read.push(bucket.asked.filter((one) => one.endsWith('record.json')).length);
      },
    });
    expect(told[0]).toMatchObject({ captures: 30, left_out: 0, clickhouse: null });
    expect(told.slice(1)).toEqual([['error 0: full', 'other error']]);
    expect(read[0]).toBeLessThan(30);
    expect(found.shapes[0]).toMatchObject({ output_count: 29, host_count: 23, artifact_id: idAt(now, 0) });
    expect(Date.parse(found.shapes[0]!.first_at)).toBeLessThan(now - 28 * minute);
    expect(found.archive).toMatchObject({ captures: 30, candidates: null, problem: null });
  });

  it('reads only what ClickHouse names, and decides itself', async () => {
    for (let n = 0; n < 4; n += 1) await put(n, n < 2 ? `error ${n}\n` : 'erring\n');
    withClickHouse();
    answer = () => ({
      text: [...bucket.objects.keys()]
        .filter((key) => key.includes(idAt(now, 0)) || key.includes(idAt(now - 2 * minute, 2)))
        .filter((key) => key.endsWith('stdout.gz'))
        .map((key) => `logs/${key}\n`)
        .join(''),
    });
    const found = await searchArchived(home, { pattern: 'error' }, all);
    expect(found.outputs.map((one) => one.artifact_id)).toEqual([idAt(now, 0)]);
    expect(found.archive).toMatchObject({ candidates: 2, problem: null });
    expect(bucket.asked.filter((one) => one.endsWith('record.json')).length).toBe(2);
  });

  it.each([
    ['refuses', () => ({ status: 516, text: 'Code: 516. Wrong password' }), /Code: 516. Wrong password/],
    [
      'fails in the middle of its answer',
      () => ({ text: 'logs/v1/a\nCode: 210. Broken pipe' }),
      /Broken pipe/,
    ],
    [
      'is too old',
      () => ({ status: 500, text: 'Code: 46. Unknown table function s3' }),
      /Unknown table function/,
    ],
  ])('reads all captures when ClickHouse %s', async (_, answered, problem) => {
    for (let n = 0; n < 3; n += 1) await put(n, `error ${n}\n`);
    withClickHouse();
    answer = answered;
    const problems: string[] = [];
    const onProblem = (one: string) => void problems.push(one);
    const found = await searchArchived(home, { pattern: 'error' }, all, { onProblem });
    expect(found.outputs.length).toBe(3);
    expect(found.archive).toMatchObject({ candidates: null, problem: problems[0] });
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  it('asks ClickHouse nothing about a pattern that has no text', async () => {
    await put(0, 'error 17\n');
    withClickHouse();
    expect((await searchArchived(home, { pattern: String.raw`\d` }, all)).match_count).toBe(1);
    expect(sql).toEqual([]);
  });

  it('goes on where the page before ended', async () => {
    for (let n = 0; n < 12; n += 1) await put(n, `error ${n}\n`);
    config();
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await searchArchived(home, { pattern: 'error', limit: 5, cursor }, all);
      ids.push(...page.outputs.map((one) => one.artifact_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toEqual(Array.from({ length: 12 }, (_, n) => idAt(now - n * minute, n)));
  });

  it('counts a damaged capture as not searched', async () => {
    for (let n = 0; n < 3; n += 1) await put(n, `error ${n}\n`);
    for (const key of bucket.objects.keys())
      if (key.includes(idAt(now, 0)) && key.endsWith('stdout.gz'))
        bucket.objects.set(key, Buffer.from('cut'));
    config();
    const found = await searchArchived(home, { pattern: 'error' }, all);
    expect(found).toMatchObject({ searched: 2, unsearched: 1, match_count: 2 });
  });

  it('lists by a status without reading days that are not needed, and goes on by cursor', async () => {
    for (let n = 0; n < 6; n += 1) await put(n, 'x\n', { status: n % 2 ? 'failed' : 'succeeded' });
    config();
    const first = await listArchived(home, { status: 'succeeded', limit: 2 }, all);
    expect(first.outputs.map((one) => one.artifact_id)).toEqual([idAt(now, 0), idAt(now - 2 * minute, 2)]);
    expect(bucket.asked.some((one) => one.includes('/failed/'))).toBe(false);
    const next = await listArchived(home, { status: 'succeeded', limit: 2, cursor: first.next_cursor! }, all);
    expect(next.outputs.map((one) => one.artifact_id)).toEqual([idAt(now - 4 * minute, 4)]);
  });
});
