import { afterEach, describe, expect, it, vi } from 'vitest';
import { lastUndo } from '../../../renderer/actions/undo.ts';
import { withoutRotation } from '../../../renderer/artifact/reading.tsx';
import {
  asRead,
  chipText,
  entriesOf,
  type Filter,
  type FilterWhat,
  filterName,
  filtersOf,
  isSameWhat,
  lineFilterOf,
  plainText,
  withPattern,
  wordOf,
} from '../../../renderer/filters/filter.ts';
import { changesOf } from '../../../renderer/filters/use-filters.ts';
import type { LogFormat } from '../../../shared/log-format.ts';

const filter = (id: number, text: string, verb: Filter['verb'] = 'show'): Filter => ({
  id,
  what: plainText(text),
  verb,
  on: true,
});

describe('a filter that compares fields', () => {
  it('also by a sign that text may have, if the text is JSON that has the field', () => {
    const format = {
      name: 'CloudTrail',
      entries: 'object',
      fields: ['service', 'http.status'],
    } as unknown as LogFormat;
    const typed = (text: string, of: LogFormat | null) => {
      const { what } = filter(1, '');
      const filters = [
        { ...filter(1, ''), what: withPattern(what as FilterWhat & { kind: 'text' }, text, of) },
      ];
      return lineFilterOf(filters)!.filter.rules[0]!.query;
    };
    expect(typed('service=billing, http.status=500', format)).toMatchObject({
      where: 'service=billing, http.status=500',
    });
    for (const [text, of] of [
      ['user=ann', format],
      ['service billing', format],
      ['service=billing', { ...format, name: 'logfmt', entries: 'time' as const }],
      ['service=billing', null],
    ] as const)
      expect(typed(text, of)).toMatchObject({ pattern: text });
  });

  it.each(['status>=500', 'duration>1s, status!=200', 'level>=warn', 'n < 5'])(
    'asks for them: %s',
    (text) => {
      expect(lineFilterOf([filter(1, text, 'only')])!.filter.rules).toEqual([
        {
          verb: 'only',
          query: { pattern: '', fixed: true, case_sensitive: true, invert: false, where: text },
        },
      ]);
      expect(filterName(filter(1, text))).toBe(`Show lines whose fields have ${text}`);
    },
  );

  it.each(['status=500', 'a->b', 'Vec<u8>', 'a > b', 'x != ', '=>5', 'if (a>5)'])('is text: %s', (text) => {
    expect(lineFilterOf([filter(1, text)])!.filter.rules).toMatchObject([{ query: { pattern: text } }]);
  });

  it('is text as a whole word', () => {
    const what: FilterWhat = {
      kind: 'text',
      pattern: 'status>=500',
      fixed: true,
      case_sensitive: true,
      word: true,
    };
    expect(lineFilterOf([{ ...filter(1, ''), what }])!.filter.rules).toMatchObject([
      { query: { pattern: 'status>=500' } },
    ]);
  });
});

describe('stored filters', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('are read again', () => {
    const level = { id: 2, what: { kind: 'level', level: 'error' }, verb: 'hide', on: false };
    const text = { kind: 'text', pattern: 'a', fixed: false, case_sensitive: true };
    const read = [{ id: 1, what: text, verb: 'only', on: true }, level];
    const kept = { a: read };
    const items = new Map([['spillway.filters', JSON.stringify(kept)]]);
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
    });
    const store = filtersOf('a');
    expect(store.get()).toEqual(read);
    // An equal filter that is added now is found among them.
    expect(isSameWhat(store.get()[0]!.what, { ...plainText('a'), fixed: false } as FilterWhat)).toBe(true);
    store.set([...store.get()]);
    filtersOf('b').set([filter(1, 'b')]);
    expect(JSON.parse(items.get('spillway.filters')!)).toEqual({ a: read, b: [filter(1, 'b')] });
  });

  it('are none where the storage holds something else', () => {
    for (const stored of ['null', '[', '7', '{"c":7}', '{"c":null}']) {
      vi.stubGlobal('sessionStorage', { getItem: () => stored });
      expect(filtersOf(`c${stored}`).get()).toEqual([]);
    }
  });
});

describe('the filter of new and changed lines', () => {
  const differences: Filter = { id: 1, what: { kind: 'differences' }, verb: 'only', on: true };
  const time: Filter = {
    id: 2,
    what: { kind: 'lines', first: 5, last: 10, label: '10:00' },
    verb: 'only',
    on: true,
  };
  const lines = [
    { first: 2, last: 6 },
    { first: 9, last: 20 },
  ];

  it('passes the lines of the comparison, and every line until they are known', () => {
    expect(lineFilterOf([differences], lines)).toEqual({ filter: { rules: [], within: lines }, ids: [] });
    expect(lineFilterOf([differences], null)).toBeNull();
    expect(lineFilterOf([differences])).toBeNull();
  });

  it('passes only those of a chosen time, and none if there are none', () => {
    const within = (filters: Filter[], known = lines) => lineFilterOf(filters, known)?.filter.within;
    expect(within([differences, time])).toEqual([
      { first: 5, last: 6 },
      { first: 9, last: 10 },
    ]);
    expect(within([time, differences], [{ first: 90, last: 99 }])).toEqual([
      { first: Number.MAX_SAFE_INTEGER, last: Number.MAX_SAFE_INTEGER },
    ]);
    expect(within([differences], [])).toHaveLength(1);
  });

  it('is named as what it is', () => {
    expect(filterName(differences)).toBe('Show new and changed lines');
  });
});

it('the format chosen for a file is that of its rotations, and of no other', () => {
  for (const name of [
    'app.log',
    'app.log.1',
    'app.1.log',
    'app.log-20260301.gz',
    'app-2026-03-01.log',
    'app.log.old',
  ])
    expect(withoutRotation(`/var/${name}`)).toBe('/var/app.log');
  for (const name of ['build-7.log', 'job_12.txt', 'v2.log']) expect(withoutRotation(name)).toBe(name);
});

describe('a further filter', () => {
  const read = (key: string) => {
    const filters = filtersOf(key).get();
    return asRead(filters).map((one) => `${wordOf(one, filters)} ${chipText(one.what)}`);
  };

  it('leaves fewer lines, and is read after those that a line may match', () => {
    const filters = changesOf('many');
    filters.narrow(plainText('a'));
    const b = filters.narrow(plainText('b'));
    filters.narrow(plainText('c'));
    filters.add(plainText('d'), 'hide');
    expect(read('many')).toEqual(['Show a', 'and b', 'and c', 'Hide d']);
    filters.combine(b, 'show');
    expect(read('many')).toEqual(['Show a', 'or b', 'and c', 'Hide d']);
  });

  it('makes the first one that lines may match where that one had to be matched', () => {
    const filters = changesOf('only');
    const a = filters.narrow(plainText('a'));
    filters.combine(a, 'only');
    filters.combine(filters.narrow(plainText('b')), 'show');
    expect(read('only')).toEqual(['Show a', 'or b']);
  });

  it('of a level shows lines of the text, and of one of the levels', () => {
    const filters = changesOf('levels');
    filters.narrow(plainText('a'));
    filters.showLevel('error');
    lastUndo('levels')!();
    expect(filtersOf('levels').get()).toEqual([filter(1, 'a')]);
    filters.showLevel('error');
    filters.showLevel('warn');
    expect(read('levels')).toEqual(['Show error', 'or warn', 'and a']);
  });
});

it('undoing a new filter goes through none of the states in which it was typed', () => {
  const key = 'one';
  const filters = changesOf(key);
  const id = filters.narrow({ kind: 'text', pattern: '', fixed: false, case_sensitive: false });
  filters.change(id, { what: plainText('noise') }, true);
  filters.change(id, { verb: 'hide' }, true);
  filters.endEdit(id);
  lastUndo(key)!();
  expect(filtersOf(key).get()).toEqual([]);
});

it('removing all filters, and the entries they choose, is undone in one step', () => {
  const key = 'two';
  const filters = changesOf(key);
  filters.add(plainText('noise'), 'hide');
  filters.chooseEntries('whole');
  filters.chooseEntries('whole');
  filters.clear();
  expect([filtersOf(key).get(), entriesOf(key).get()]).toEqual([[], []]);
  lastUndo(key)!();
  expect([filtersOf(key).get().length, entriesOf(key).get()]).toEqual([1, ['whole']]);
});
