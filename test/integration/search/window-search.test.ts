import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import type { Pool } from '../../../electron/workers/pool.ts';
import type { SearchRef, SearchState } from '../../../shared/api/search.ts';
import type { SearchQuery } from '../../../shared/search-query.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { until } from '../../fixtures/until.ts';

let folder: string;
let path: string;
let host: Host;
const stops: (() => void)[] = [];

beforeEach(async () => {
  folder = makeFolder();
  path = join(folder, 'file.log');
  host = await createHost({ home: join(folder, 'home'), watch: false, threads: 2 });
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await host.close();
  removeFolder(folder);
});

async function search(pattern: string, more: Partial<SearchQuery> = {}) {
  const [artifact] = await host.openPath({ path });
  return searchIn(artifact!.artifact_id, pattern, more);
}

function searchIn(artifact_id: string, pattern: string, more: Partial<SearchQuery> = {}) {
  const ref: SearchRef = {
    document: { artifact_id },
    query: { pattern, fixed: false, case_sensitive: false, invert: false, ...more },
  };
  const states: SearchState[] = [];
  const errors: Error[] = [];
  stops.push(
    host.watchSearch(
      ref,
      (state) => states.push(state),
      (error) => errors.push(error),
    ),
  );
  /** Resolves with the first state that meets the condition. */
  const reaches = (condition: (state: SearchState) => boolean): Promise<SearchState> =>
    until(() => {
      const last = states.at(-1);
      if (last && condition(last)) return last;
      if (errors[0]) throw errors[0];
      return null;
    });
  return { ref, states, reaches };
}
const lines = (from: number, to: number) =>
  Array.from(
    { length: to - from + 1 },
    (_, i) => `line ${from + i}${(from + i) % 10 === 0 ? ' ERROR' : ''}\n`,
  ).join('');

describe('a search within others', () => {
  it('finds the lines that all find, also in what is appended', async () => {
    writeFileSync(path, lines(1, 300_000));
    const term = (pattern: string, invert = false) => ({
      pattern,
      fixed: false,
      case_sensitive: false,
      invert,
    });
    const { ref, reaches } = await search('7\\d* ', { within: [term('error'), term('99', true)] });
    const expected = (last: number) => {
      const found: number[] = [];
      for (let line = 10; line <= last; line += 10) {
        const text = `line ${line} ERROR`;
        if (/7\d* /.test(text) && !text.includes('99')) found.push(line);
      }
      return found;
    };
    const done = await reaches((state) => state.done);
    expect(done.match_count).toBe(expected(300_000).length);
    const page = await host.matchedRows({ search: ref, first: 1000, count: 5 });
    expect(page.lines.map(({ line_number }) => line_number)).toEqual(expected(300_000).slice(1000, 1005));

    appendFileSync(path, 'line 370 ERR');
    await reaches((state) => state.done && state.searched_bytes > done.searched_bytes);
    appendFileSync(path, `OR\n${lines(300_002, 300_800)}`);
    const last = expected(300_800).length + 1;
    await reaches((state) => state.done && state.match_count === last);
  });
});

describe('a search in the window', () => {
  it('is told as it gets on, gives pages of matching rows with their places, and neighbours of a line', async () => {
    writeFileSync(path, lines(1, 500_000));
    const { ref, states, reaches } = await search('error');
    const done = await reaches((state) => state.done);
    expect([done.match_count, done.searched_bytes]).toEqual([50_000, done.total_bytes]);
    const counts = states.map((state) => state.match_count);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    const page = await host.matchedRows({ search: ref, first: 49_998, count: 10 });
    expect(page.lines.map((line) => [line.line_number, line.row.text])).toEqual([
      [499_990, 'line 499990 ERROR'],
      [500_000, 'line 500000 ERROR'],
    ]);
    expect(page.lines[0]?.row.matches).toEqual([12, 17]);
    const near = (line: number, direction: 'next' | 'previous') =>
      host.nextMatch({ search: ref, line_number: line, direction });
    const found = { line_number: 20, index: 1, rows: [1, 4, 7, 10], match_count: 50_000 };
    expect(await near(10, 'next')).toEqual(found);
    const none = { line_number: null, index: null, rows: null, match_count: 50_000 };
    expect(await near(10, 'previous')).toEqual(none);
    expect((await near(15, 'previous')).line_number).toBe(10);
    expect((await near(500_000, 'next')).line_number).toBeNull();
    const { counts: marks } = await host.matchCounts({ search: ref, buckets: 7 });
    expect(marks.reduce((a, b) => a + b)).toBe(50_000);
    expect(Math.max(...marks) - Math.min(...marks)).toBeLessThanOrEqual(1);
  });

  it('brings the first rows along with the first match, once, as a request for them would', async () => {
    writeFileSync(path, lines(1, 300_000));
    const { ref } = await search('error');
    const states: SearchState[] = [];
    const first_rows = { count: 5, context: 1 };
    stops.push(
      host.watchSearch(
        { ...ref, first_rows },
        (state) => states.push(state),
        () => {},
      ),
    );
    await until(() => states.at(-1)?.done);
    const told = states.flatMap((state) => (state.first_rows ? [state.first_rows] : []));
    const page = await host.matchedRows({ search: ref, first: 0, ...first_rows });
    expect(told).toEqual([page.lines]);
    expect(states.find((state) => state.match_count > 0)?.first_rows).toBeDefined();
  });

  it('finds a match deep in a long line, with the text around it', async () => {
    const long = `${'x'.repeat(100_000)} ERROR ${'y'.repeat(50_000)}`;
    writeFileSync(path, `plain\n${long}\n`);
    const { ref, reaches } = await search('error');
    await reaches((state) => state.done);
    const { match } = await host.matchInLine({ search: ref, line_number: 2 });
    expect(match).toMatchObject({ column: 100_002, offset: 6 + 100_001, match: 'ERROR' });
    expect(match?.text).toContain('xx ERROR yy');
    expect(match?.text.length).toBeLessThanOrEqual(2000);
    expect((await host.matchInLine({ search: ref, line_number: 1 })).match).toBeNull();
  });

  it('lists each line around matches once, in as many rows as it said, wherever one looks', async () => {
    writeFileSync(path, lines(1, 70_000));
    const { ref, reaches } = await search('0 error|[34]99$');
    const { row_counts, match_count } = await reaches((state) => state.done);
    const matches = Array.from({ length: 70_000 }, (_, i) => i + 1).filter(
      (line) => line % 10 === 0 || line % 1000 === 399 || line % 1000 === 499,
    );
    expect(match_count).toBe(matches.length);
    for (const [context, count] of row_counts.entries()) {
      const around = new Set(
        matches.flatMap((line) =>
          [-3, -2, -1, 0, 1, 2, 3].flatMap((by) => (Math.abs(by) <= context ? [line + by] : [])),
        ),
      );
      const all = [...around].filter((line) => line >= 1 && line <= 70_000).sort((a, b) => a - b);
      expect(count).toBe(all.length);
      for (const first of [0, 5000, 17_777, count - 40, count - 3]) {
        const page = await host.matchedRows({ search: ref, first, count: 100, context });
        const wanted = all.slice(first, first + 100);
        expect(page.lines.map((line) => line.line_number)).toEqual(wanted);
        for (const { line_number, match, row } of page.lines) {
          expect(row.text.replace(' ERROR', '')).toBe(`line ${line_number}`);
          expect(match).toBe(matches.includes(line_number) ? matches.indexOf(line_number) : null);
          // Places of matches are computed only in matching lines.
          expect((row.matches ?? []).length > 0).toBe(match !== null);
        }
      }
    }
  });

  it('lists what follows the last match when it came', async () => {
    writeFileSync(path, lines(1, 11));
    const { ref, reaches } = await search('error');
    expect((await reaches((state) => state.done)).row_counts).toEqual([1, 3, 4, 5]);
    appendFileSync(path, lines(12, 19));
    const more = await reaches((state) => state.done && state.row_counts[2]! > 4);
    expect(more.row_counts).toEqual([1, 3, 5, 7]);
    appendFileSync(path, lines(20, 20));
    const last = await reaches((state) => state.done && state.match_count === 2);
    expect(last.row_counts).toEqual([2, 5, 8, 11]);
    const page = await host.matchedRows({ search: ref, first: 5, count: 9, context: 2 });
    expect(page.lines.map((line) => line.line_number)).toEqual([18, 19, 20]);
  });

  it('searches what was read of a file that is gone', async () => {
    writeFileSync(path, lines(1, 100));
    const [artifact] = await host.openPath({ path });
    const conditions: string[] = [];
    stops.push(
      host.watchDocument(
        { artifact_id: artifact!.artifact_id },
        (state) => conditions.push(state.condition),
        () => {},
      ),
    );
    await expect.poll(() => conditions.at(-1)).toBe('ok');
    rmSync(path);
    await expect.poll(() => conditions.at(-1)).toBe('vanished');
    const { ref, reaches } = searchIn(artifact!.artifact_id, 'error');
    const done = await reaches((state) => state.done);
    expect(done.match_count).toBe(10);
    const page = await host.matchedRows({ search: ref, first: 0, count: 1 });
    expect(page.lines[0]?.line_number).toBe(10);
  });

  it('goes on in what is appended, and begins anew in what replaces the text', async () => {
    writeFileSync(path, lines(1, 100));
    const { reaches } = await search('error');
    const first = await reaches((state) => state.done && state.match_count === 10);
    appendFileSync(path, 'ERR');
    appendFileSync(path, 'OR half\n');
    appendFileSync(path, lines(101, 200));
    expect((await reaches((state) => state.done && state.match_count === 21)).generation).toBe(
      first.generation,
    );
    writeFileSync(path, 'one error\n');
    const anew = await reaches((state) => state.done && state.match_count === 1);
    expect(anew.generation).toBeGreaterThan(first.generation);
  });

  it('says of which text its rows are, though the file is replaced while they are read', async () => {
    writeFileSync(path, lines(1, 100));
    const { ref, reaches } = await search('error');
    await reaches((state) => state.done);
    const { pool } = host as unknown as { pool: Pool };
    const run = pool.run.bind(pool);
    let replaced = false;
    vi.spyOn(pool, 'run').mockImplementation((async (...task: Parameters<typeof run>) => {
      const result = await run(...task);
      if (task[0] === 'highlight' && !replaced) {
        replaced = true;
        writeFileSync(`${path}.new`, 'another\n');
        renameSync(`${path}.new`, path);
        await reaches((state) => state.generation === 2);
      }
      return result;
    }) as typeof run);
    const asked = { document: ref.document, start_line: 10, count: 1, highlight: ref.query };
    const found = await host.rows(asked);
    expect([found.generation, found.rows[0]?.text]).toEqual([1, 'line 10 ERROR']);
    expect(await host.rows(asked)).toMatchObject({ generation: 2, rows: [] });
  });

  it('outlasts a text that is rewritten all the time, and is right when that ends', async () => {
    writeFileSync(path, lines(1, 20_000));
    const { reaches } = await search('error');
    await reaches((state) => state.done);
    let turn = 0;
    const rewriting = setInterval(() => {
      turn += 1;
      writeFileSync(path, `${turn}\n${lines(1, 20_000 - turn)}`);
    }, 5);
    stops.push(() => clearInterval(rewriting));
    await until(() => turn >= 150);
    clearInterval(rewriting);
    writeFileSync(path, `the end\n${lines(1, 70)}`);
    expect((await reaches((state) => state.done && state.match_count === 7)).timed_out).toBe(false);
  });

  it('marks matches in the rows of the text', async () => {
    writeFileSync(path, 'a \x1b[31mred\x1b[0m fox, a red hat\nnothing\n');
    const { ref } = await search('red');
    const { rows } = await host.rows({
      document: ref.document,
      start_line: 1,
      count: 2,
      highlight: ref.query,
    });
    expect(rows.map((row) => row.matches)).toEqual([[2, 5, 13, 16], []]);
  });

  it('is an error when the pattern is invalid', async () => {
    writeFileSync(path, 'x\n');
    const { reaches } = await search('(');
    await expect(reaches((state) => state.done)).rejects.toThrow(/not a valid pattern/);
  });

  it('counts fifty times as many matches as there is room for on a screen without holding them all', async () => {
    writeFileSync(path, 'match\n'.repeat(1_000_000));
    const { ref, reaches } = await search('.');
    expect((await reaches((state) => state.done)).match_count).toBe(1_000_000);
    const page = await host.matchedRows({ search: ref, first: 999_999, count: 100 });
    expect(page.lines.map((line) => line.line_number)).toEqual([1_000_000]);
  });
});
