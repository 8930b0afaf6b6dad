import { describe, expect, it } from 'vitest';
import { fileOf, type NamedSet, setOf, setsIn, withSets } from '../../../renderer/filters/SetsDialog.tsx';
import { NO_SEARCH } from '../../../renderer/search/search-settings.ts';

const text = { kind: 'text', pattern: 'retry', fixed: true, case_sensitive: false, word: true } as const;

function namedSet(name: string): NamedSet {
  return setOf(
    name,
    [
      { id: 3, what: text, verb: 'hide', on: false },
      { id: 4, what: { kind: 'level', level: 'error' }, verb: 'show', on: true },
      { id: 5, what: { kind: 'lines', first: 3, last: 9, label: '10:30' }, verb: 'only', on: true },
      { id: 6, what: { kind: 'differences' }, verb: 'only', on: true },
    ],
    'whole',
    [
      NO_SEARCH,
      {
        ...NO_SEARCH,
        pattern: 'worker',
        within: [{ pattern: 'a', fixed: true, case_sensitive: false, invert: true }],
      },
    ],
  );
}

describe('a set of filters, searches and highlighters', () => {
  it('has those that fit any text', () => {
    const { filters, entries, searches, highlighters } = namedSet('x');
    expect(entries).toBe('whole');
    expect(filters).toEqual([
      { what: text, verb: 'hide', on: false },
      { what: { kind: 'level', level: 'error' }, verb: 'show', on: true },
    ]);
    expect(searches.map(({ pattern }) => pattern)).toEqual(['worker']);
    expect(highlighters).toHaveLength(10);
  });

  it('comes back from its file, and from no other', () => {
    const sets = [namedSet('a'), namedSet('b')];
    const file = fileOf(sets);
    expect(setsIn(file)?.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(setsIn(file)).toEqual(sets);
    for (const other of ['', '[]', '{}', '{"spillway_sets": [{"name": "a"}]}', file.replace('"retry"', '7')])
      expect(setsIn(other)).toBeNull();
  });

  it('chooses lines where a file of an earlier version does not say what', () => {
    const [set] = setsIn(fileOf([namedSet('a')]).replace('"entries": "whole",', ''))!;
    expect(set).toEqual({ ...namedSet('a'), entries: 'lines' });
  });

  it('replaces another of its name', () => {
    const [old, other, next] = [
      namedSet('set 10'),
      namedSet('set 9'),
      { ...namedSet('set 10'), filters: [] },
    ];
    expect(withSets([old, other], [next])).toEqual([other, next]);
  });
});
