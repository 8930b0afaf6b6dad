/** Several artifacts as one text, in the order of their lines' times. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import { mergedId } from '../../../shared/artifact.ts';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { until } from '../../fixtures/until.ts';

let place: Place;
let host: Host;
const start = Date.UTC(2026, 0, 13, 10);
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();

beforeEach(async () => {
  place = makePlace();
  host = await createHost({ home: place.home, watch: false, threads: 0 });
});
afterEach(async () => {
  await host.close();
  place.remove();
});

async function file(name: string, text: string): Promise<string> {
  const path = join(place.files, name);
  writeFileSync(path, text);
  return (await host.openPath({ path }))[0]!.artifact_id;
}

const merged = (ids: string[]): DocumentRef => ({ artifact_id: mergedId(ids), merged: ids });

async function lines(document: DocumentRef, first = 1, count = 100) {
  const { rows } = await host.rows({ document, start_line: first, count });
  return rows.map(({ part, number, text }) => `${part}:${number} ${text.replace(/^\S+Z /, '')}`);
}

describe('a merged text', () => {
  it('has the lines of all in the order of their times, each with its own number', async () => {
    const a = await file('a.log', `${at(1)} a1\n  more of a1\n${at(5)} a5\n${at(9)} a9`);
    const b = await file('b.log', `before any time\n${at(2)} b2\n${at(5)} b5\n${at(12)} b12\n`);
    expect(await lines(merged([a, b]))).toEqual([
      '0:1 a1',
      '0:2   more of a1',
      '1:1 before any time',
      '1:2 b2',
      '0:3 a5',
      '1:3 b5',
      '0:4 a9',
      '1:4 b12',
    ]);
    expect((await lines(merged([b, a])))[4]).toBe('0:3 b5');
  });

  it('takes recorded arrivals of a command, and numbers it as its combined stream', async () => {
    await runCli(['run', '--quiet', '--', 'sh', '-c', 'echo now; echo and err >&2'], place);
    const { outputs } = await host.list({ kind: 'cmd' });
    const old = await file('old.log', `${at(0)} long ago\n2999-01-01T00:00:00Z far ahead\n`);
    const found = await lines(merged([outputs[0]!.artifact_id, old]));
    expect(found[0]).toBe('1:1 long ago');
    expect(found.slice(1, 3).sort()).toEqual(['0:1 now', '0:2 and err']);
    expect(found[3]).toBe('1:2 far ahead');
  });

  it('keeps what continues an entry with it, though each line has a time', async () => {
    const ms = (time: number) => new Date(start + time).toISOString();
    const frames = [10, 20, 30].map((time, i) => `${ms(time)}     at a.B.c(B.java:${i})\n`);
    const late = `${ms(9000)}     at a.B.c(B.java:9)\n`;
    const a = await file('a.log', `${ms(0)} ERROR a1\n${frames.join('')}${late}`);
    const b = await file('b.log', [5, 15, 25, 35].map((time) => `${ms(time)} b${time}\n`).join(''));
    expect(await lines(merged([a, b]))).toEqual([
      ...[
        '0:1 ERROR a1',
        '0:2     at a.B.c(B.java:0)',
        '0:3     at a.B.c(B.java:1)',
        '0:4     at a.B.c(B.java:2)',
      ],
      ...['1:1 b5', '1:2 b15', '1:3 b25', '1:4 b35'],
      '0:5     at a.B.c(B.java:9)',
    ]);
  });

  it('says of which artifacts no times are known, and puts them first', async () => {
    const a = await file('a.log', `${at(1)} a1\n`);
    const b = await file('plain.txt', 'one\ntwo\n');
    const document = merged([a, b]);
    expect(await lines(document)).toEqual(['1:1 one', '1:2 two', '0:1 a1']);
    const states: string[][] = [];
    const stop = host.watchDocument(
      document,
      ({ artifact }) => states.push(artifact.warnings),
      () => {},
    );
    await until(() => states.length > 0);
    stop();
    expect(states.at(-1)!.join()).toContain('no times are known of plain.txt');
  });

  it('of large artifacts is right from end to end, and searched', async () => {
    const text = (name: string, step: number, count: number) =>
      Array.from({ length: count }, (_, n) => `${at(n * step)} ${name} ${n} ${'.'.repeat(n % 90)}\n`).join(
        '',
      );
    const a = await file('a.log', text('a', 3, 60_000));
    const b = await file('b.log', text('b', 2, 90_000));
    const document = merged([a, b]);
    let total = 0;
    const stop = host.watchDocument(
      document,
      (state) => {
        total = state.indexed_bytes === state.total_bytes ? state.total_lines : 0;
      },
      () => {},
    );
    await until(() => total === 150_000);
    let last = 0;
    for (const first of [1, 70_001, 149_001]) {
      const { rows } = await host.rows({ document, start_line: first, count: 1000 });
      for (const { text, part, number } of rows) {
        const [time, name, n] = text.split(' ');
        expect(Date.parse(time!)).toBeGreaterThanOrEqual(last);
        last = Date.parse(time!);
        expect([name, Number(n)]).toEqual(['ab'[part!], number! - 1]);
      }
    }
    const query = { pattern: 'b 45000 ', case_sensitive: false, fixed: true, invert: false };
    let found = 0;
    const stopSearch = host.watchSearch(
      { document, query } as never,
      (state) => {
        found = state.match_count;
      },
      () => {},
    );
    await until(() => found === 1);
    stopSearch();
    stop();
  });

  it('names the artifact and number of lines that a filter or a search leaves', async () => {
    const text = (name: string, step: number) =>
      Array.from({ length: 200 }, (_, n) => `${at(n * step)} ${name} ${n + 1}\r\n`).join('');
    const document = merged([await file('a.log', text('a', 3)), await file('b.log', text('b', 2))]);
    const query = { pattern: '[ab] \\d*7$', case_sensitive: true, fixed: false, invert: false };
    const { rows } = await host.rows({ document, start_line: 1, count: 500 });
    const kept = rows.flatMap(({ text }, i) => (/7$/.test(text) ? [i + 1] : []));
    const told = (row: { part?: number | undefined; number?: number | undefined; text: string }) =>
      `${'ab'[row.part!]} ${row.number}` === row.text.replace(/^\S+ /, '');
    const filtered = await host.rowsOf({ document, lines: kept });
    expect(filtered.rows).toHaveLength(kept.length);
    expect(filtered.rows.filter((row) => !told(row))).toEqual([]);
    let found = 0;
    const stop = host.watchSearch(
      { document, query },
      (state) => {
        found = state.match_count;
      },
      () => {},
    );
    await until(() => found === kept.length);
    stop();
    const results = await host.matchedRows({ search: { document, query }, first: 0, count: 60, context: 1 });
    expect(results.lines.length).toBeGreaterThan(40);
    expect(results.lines.filter(({ row }) => !told(row))).toEqual([]);
  });

  it('leads to the first line that came at a time or later', async () => {
    const a = await file('a.log', `${at(1)} a1\n  more of a1\n${at(5)} a5\n${at(9)} a9\n`);
    const b = await file('b.log', `${at(2)} b2\n${at(6)} b6\n${at(12)} b12\n`);
    const plain = await file('plain.txt', 'no time\n');
    const document = merged([a, b, plain]);
    const lineAt = (seconds: number) => host.lineAtTime({ document, time: start + seconds * 1000 });
    const all = await lines(document);
    expect(all).toEqual([
      '2:1 no time',
      '0:1 a1',
      '0:2   more of a1',
      '1:1 b2',
      '0:3 a5',
      '1:2 b6',
      '0:4 a9',
      '1:3 b12',
    ]);
    expect([await lineAt(0), await lineAt(2), await lineAt(3), await lineAt(6), await lineAt(10)]).toEqual([
      2, 4, 5, 6, 8,
    ]);
    expect(await lineAt(99)).toBe(8);
  });

  it('grows as its artifacts do', async () => {
    const a = await file('a.log', `${at(1)} a1\n`);
    const b = await file('b.log', `${at(2)} b2\n`);
    const document = merged([a, b]);
    expect(await lines(document)).toEqual(['0:1 a1', '1:1 b2']);
    appendFileSync(join(place.files, 'a.log'), `${at(3)} a3\n`);
    let total = 0;
    const stop = host.watchDocument(
      document,
      (state) => {
        total = state.total_lines;
      },
      () => {},
    );
    await until(() => total === 3);
    stop();
    expect(await lines(document)).toEqual(['0:1 a1', '1:1 b2', '0:2 a3']);
  });

  it('refuses what it can not put together', async () => {
    const a = await file('a.log', `${at(1)} a1\n`);
    const wide = join(place.files, 'wide.log');
    writeFileSync(wide, Buffer.from('\ufeffwide\n', 'utf16le'));
    const [b] = await host.openPath({ path: wide });
    await expect(lines(merged([a, b!.artifact_id]))).rejects.toThrow('wide.log is utf-16');
  });
});
