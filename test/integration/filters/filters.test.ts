import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { takeParts } from '../../../renderer/filters/open-filter.ts';
import type { FilterState, LineFilter } from '../../../shared/api/filters.ts';
import type { HistogramParams, HistogramState } from '../../../shared/api/search.ts';
import { LineSet } from '../../../shared/line-set.ts';
import { ERROR_LINES, type SearchQuery } from '../../../shared/search-query.ts';
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

const query = (pattern: string): SearchQuery => ({
  pattern,
  fixed: false,
  case_sensitive: true,
  invert: false,
});
const show = (pattern: string) => ({ verb: 'show' as const, query: query(pattern) });
const only = (pattern: string) => ({ verb: 'only' as const, query: query(pattern) });
const hide = (pattern: string) => ({ verb: 'hide' as const, query: query(pattern) });

async function watch(filter: LineFilter) {
  const [artifact] = await host.openPath({ path });
  const document = { artifact_id: artifact!.artifact_id };
  const lines = new LineSet();
  let last: FilterState | null = null;
  const errors: Error[] = [];
  stops.push(
    host.watchFilter(
      { document, filter },
      (state) => {
        takeParts(lines, state);
        last = state;
      },
      (error) => errors.push(error),
    ),
  );
  /** Resolves with the passing lines once the condition holds of a last state. */
  const passing = (condition: (state: FilterState) => boolean) =>
    until(() => {
      if (errors[0]) throw errors[0];
      return last?.done && condition(last) ? lines.slice(0, Number.MAX_SAFE_INTEGER) : null;
    });
  return { document, passing };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\n`).join('');

describe('a filter', () => {
  it('lets lines pass by all its rules, and goes on as the file grows', async () => {
    writeFileSync(path, numbered(1, 30));
    const { passing } = await watch({ rules: [show('1'), show('5$'), hide('15')], within: [] });
    expect(await passing(() => true)).toEqual([1, 5, 10, 11, 12, 13, 14, 16, 17, 18, 19, 21, 25]);
    appendFileSync(path, `${numbered(31, 35)}line`);
    expect((await passing(({ settled_line }) => settled_line === 36)).slice(-2)).toEqual([31, 35]);
    // The last line had no end, and passes now.
    appendFileSync(path, ' 1\n');
    expect((await passing(({ rules }) => rules[0]!.match_count === 14)).slice(-2)).toEqual([35, 36]);
  });

  describe('by entries', () => {
    const at = (second: number) => `2026-03-01 10:00:${String(second).padStart(2, '0')}`;
    /** An entry of three lines at 2, 5, 8 …; line 1 belongs to no entry that begins in the text. */
    const traces = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => {
        const level = (from + i) % 2 === 0 ? 'ERROR' : 'INFO';
        return `${at(from + i)} ${level} no ${from + i}\n  at f${from + i}\n  at g${from + i}\n`;
      }).join('');
    const level = (one: 'error' | 'info') => ({ ...query(''), fixed: true, levels: [one] });

    it('shows and hides an error with its frames, also one that goes on later', async () => {
      writeFileSync(path, `head\n${traces(1, 4)}`);
      const rules = [{ verb: 'show' as const, query: level('error') }];
      const { passing } = await watch({ rules, within: [], entries: 'whole' });
      expect(await passing(() => true)).toEqual([5, 6, 7, 11, 12, 13]);
      appendFileSync(path, '  at h4\n');
      const { size } = statSync(path);
      expect(await passing((state) => state.searched_bytes === size)).toEqual([5, 6, 7, 11, 12, 13, 14]);
    });

    it('finds an entry by any of its lines, and hides one so', async () => {
      writeFileSync(path, `head\n${traces(1, 4)}`);
      const found = await watch({ rules: [show('at g2'), show('head')], within: [], entries: 'whole' });
      expect(await found.passing(() => true)).toEqual([1, 5, 6, 7]);
      const left = await watch({ rules: [hide('at f[12]')], within: [], entries: 'whole' });
      expect(await left.passing(() => true)).toEqual([1, 8, 9, 10, 11, 12, 13]);
    });

    it('folds entries to their first lines, and loses none', async () => {
      writeFileSync(path, `head\n${traces(1, 4)}`);
      const all = await watch({ rules: [], within: [], entries: 'first' });
      expect(await all.passing(() => true)).toEqual([1, 2, 5, 8, 11]);
      const errors = await watch({ rules: [show('at g[24]')], within: [], entries: 'first' });
      expect(await errors.passing(() => true)).toEqual([5, 11]);
    });

    it('is right at a file of many stretches', async () => {
      const count = 60_000;
      const entry = (i: number) => `${at(i % 60)} ${i % 7 === 0 ? 'ERROR' : 'INFO'} no ${i}\n  at ${i}\n`;
      writeFileSync(path, Array.from({ length: count }, (_, i) => entry(i)).join(''));
      const rules = [{ verb: 'show' as const, query: level('error') }];
      const { passing } = await watch({ rules, within: [], entries: 'whole' });
      const expected = Array.from({ length: count }, (_, i) => i)
        .filter((i) => i % 7 === 0)
        .flatMap((i) => [2 * i + 1, 2 * i + 2]);
      expect(await passing(() => true)).toEqual(expected);
    });
  });

  it('begins anew when the file is replaced', async () => {
    writeFileSync(path, numbered(1, 30));
    const { passing } = await watch({ rules: [show('7')], within: [{ first: 10, last: 30 }] });
    expect(await passing(() => true)).toEqual([17, 27]);
    writeFileSync(`${path}.new`, `${'x\n'.repeat(11)}7\n`);
    renameSync(`${path}.new`, path);
    expect(await passing(({ generation }) => generation === 2)).toEqual([12]);
  });

  it('leaves out a rule that is not valid, and says why', async () => {
    writeFileSync(path, numbered(1, 12));
    let problems: (string | null)[] = [];
    const { passing } = await watch({ rules: [show('('), hide('1')], within: [] });
    const lines = await passing(({ rules }) => {
      problems = rules.map(({ problem }) => problem);
      return true;
    });
    expect(lines).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(problems).toEqual([expect.stringContaining('not a valid pattern'), null]);
  });

  it('gives rows by the numbers of their lines, marked where they match', async () => {
    writeFileSync(path, numbered(1, 2000));
    const { document } = await watch({ rules: [show('9')], within: [] });
    const { rows } = await host.rowsOf({ document, lines: [9, 1999], highlight: query('9+') });
    expect(rows.map(({ text, matches }) => [text, matches])).toEqual([
      ['line 9', [5, 6]],
      ['line 1999', [6, 9]],
    ]);
  });

  it('leaves lines that match one of the rules that show, and each that says only', async () => {
    writeFileSync(path, numbered(1, 99));
    const rules = [show('1'), show('2'), only('5'), hide('15')];
    const { passing } = await watch({ rules, within: [] });
    expect(await passing(() => true)).toEqual([25, 51, 52]);
    const { passing: narrow } = await watch({ rules: [only('1'), only('9')], within: [] });
    expect(await narrow(({ rules }) => rules[1]!.match_count === 19)).toEqual([19, 91]);
  });

  it('restricts a search to lines that pass', async () => {
    writeFileSync(path, `${numbered(1, 99)}ERROR 100\n`);
    const { document } = await watch({ rules: [], within: [] });
    const filter = { rules: [show('5'), { verb: 'show' as const, query: ERROR_LINES }], within: [] };
    let found = 0;
    stops.push(
      host.watchSearch(
        { document, query: query('[12]|00'), filter },
        (state) => {
          if (state.done) found = state.match_count;
        },
        () => {},
      ),
    );
    await until(() => found > 0 || null);
    const search = { document, query: query('[12]|00'), filter };
    const page = await host.matchedRows({ search, first: 0, count: 10 });
    expect(page.lines.map(({ line_number }) => line_number)).toEqual([15, 25, 51, 52, 100]);
    const next = await host.nextMatch({ search, line_number: 25, direction: 'next' });
    expect([next.line_number, next.index]).toEqual([51, 2]);
    const { counts } = await host.counts({ search, lines: [1, 50, 101] });
    expect(counts).toEqual([2, 3]);
  });
});

/** Collects all states, up to the last one, which is done. */
function histogramStates(from: Host, params: HistogramParams): Promise<HistogramState[]> {
  return new Promise((resolve, reject) => {
    const states: HistogramState[] = [];
    const stop = from.watchHistogram(
      params,
      (state) => {
        states.push(state);
        if (!state.done) return;
        stop();
        resolve(states);
      },
      reject,
    );
  });
}

async function histogram(from: Host, params: HistogramParams): Promise<HistogramState> {
  return (await histogramStates(from, params)).at(-1)!;
}

describe('a histogram', () => {
  const line = (second: number, text = 'x') =>
    `${new Date(Date.UTC(2026, 0, 13, 10) + second * 1000).toISOString()} ${text}\n`;

  it('has the first line of each part, whatever lies between', async () => {
    const trace = '  at some place\n'.repeat(7);
    writeFileSync(
      path,
      Array.from({ length: 600 }, (_, i) => line(i) + (i % 50 === 0 ? trace : '')).join(''),
    );
    const { document } = await watch({ rules: [], within: [] });
    const { source, edges } = await histogram(host, { document, bins: 10 });
    expect(source).toBe('text');
    expect(edges.map(({ time }) => time - edges[0]!.time)).toEqual(
      Array.from({ length: 11 }, (_, i) => i * 60_000),
    );
    // Before second 60 n there are 60 n lines, and 7 more for each 50.
    expect(edges.slice(0, 10).map(({ line_number }) => line_number)).toEqual(
      Array.from({ length: 10 }, (_, i) => 1 + 60 * i + 7 * Math.ceil((60 * i) / 50)),
    );
    expect(edges[10]!.line_number).toBe(600 + 7 * 12 + 1);
  });

  it('tells estimates and how far it is, before it is exact', async () => {
    writeFileSync(path, Array.from({ length: 40_000 }, (_, i) => line(i)).join(''));
    const { document } = await watch({ rules: [], within: [] });
    const states = await histogramStates(host, { document, bins: 240 });
    const last = states.at(-1)!;
    expect(states.length).toBeGreaterThan(3);
    const told = states.map(({ progress }) => progress);
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
    expect(told[0]).toBeGreaterThan(0);
    expect(states.map(({ done }) => done)).toEqual(told.map((part) => part === 1));
    for (const { edges } of states) {
      expect(edges.map(({ time }) => time)).toEqual(last.edges.map(({ time }) => time));
      // Half way between two of 256 lines that were read, or nearer.
      for (const [i, edge] of edges.entries())
        expect(Math.abs(edge.line_number - last.edges[i]!.line_number)).toBeLessThanOrEqual(80);
    }
  });

  it('has no part where lines have no times', async () => {
    writeFileSync(path, numbered(1, 50));
    const { document } = await watch({ rules: [], within: [] });
    expect(await histogram(host, { document, bins: 10 })).toMatchObject({ source: null, edges: [] });
  });

  it.each([1, 3, 4, 700, 5000])('leaves out the %i lines before the first with a time', async (untimed) => {
    writeFileSync(path, numbered(1, untimed) + Array.from({ length: 600 }, (_, i) => line(i)).join(''));
    const { document } = await watch({ rules: [], within: [] });
    const { edges } = await histogram(host, { document, bins: 10 });
    expect(edges.slice(0, 2).map(({ line_number }) => line_number - untimed)).toEqual([1, 61]);
    expect(edges.at(-1)!.line_number).toBe(untimed + 601);
  });

  it('never goes back where times do', async () => {
    writeFileSync(path, [0, 1, 2, 90, 30, 31, 91, 92, 200, 120, 260].map((at) => line(at)).join(''));
    const { document } = await watch({ rules: [], within: [] });
    const { edges } = await histogram(host, { document, bins: 5 });
    const lines = edges.map(({ line_number }) => line_number);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
    expect([lines[0], lines.at(-1)]).toEqual([1, 12]);
  });
});

describe('highlighters', () => {
  it('are kept in the home, and what is not valid there is free', async () => {
    mkdirSync(join(folder, 'home'), { mode: 0o700 });
    const kept = await host.highlighters({});
    expect(kept).toHaveLength(10);
    const mine = { name: 'mine', pattern: 'x', fixed: false, case_sensitive: false, on: false };
    await host.setHighlighters({ highlighters: [mine, ...kept.slice(1)] });
    const other = await createHost({ home: join(folder, 'home'), watch: false, threads: 0 });
    expect((await other.highlighters({}))[0]).toEqual(mine);
    // The file has the form of earlier versions.
    const stored = JSON.parse(readFileSync(join(folder, 'home', 'highlighters.json'), 'utf8'));
    const { fixed: _, ...rest } = mine;
    expect(stored[0]).toEqual({ ...rest, regex: true });
    writeFileSync(join(folder, 'home', 'highlighters.json'), '[{"pattern":7},{"name":"x"');
    expect((await other.highlighters({}))[0]!.pattern).toBe('');
    await other.close();
  });

  it('mark texts, and say what is wrong with an expression', async () => {
    const result = await host.highlight({
      texts: ['a cat', 'no'],
      queries: [query('a.'), query('('), { ...query('A'), case_sensitive: false }],
    });
    expect(result.matches).toEqual([[[0, 2, 3, 5], []], null, [[0, 1, 3, 4], []]]);
    expect(result.problems).toEqual([null, expect.stringContaining('not a valid pattern'), null]);
  });
});
