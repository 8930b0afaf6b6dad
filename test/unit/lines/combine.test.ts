import { describe, expect, it } from 'vitest';
import { linesParts } from '../../../electron/host/search/filters.ts';
import { takeParts } from '../../../renderer/filters/open-filter.ts';
import { type FilterState, mergeFilterStates } from '../../../shared/api/filters.ts';
import { combineInto, entriesWith, LineSet, SPAN } from '../../../shared/line-set.ts';
import fc from '../../fixtures/fast-check.ts';

const LAST = 150_000;

/** A predicate with few, many, or nearly all lines as members. */
const members = fc
  .tuple(fc.integer({ min: 2, max: 400 }), fc.integer({ min: 0, max: 400 }), fc.boolean())
  .map(
    ([every, from, inverse]) =>
      (line: number) =>
        (line % every === from % every) !== inverse,
  );

function setOf(has: (line: number) => boolean, last = LAST): LineSet {
  const set = new LineSet();
  set.append(Array.from({ length: last }, (_, i) => i + 1).filter(has));
  return set;
}

function membersOf(set: LineSet): number[] {
  const found: number[] = [];
  set.forEach((line) => {
    found.push(line);
  });
  return found;
}

const state = (from_key: number, set: LineSet, generation = 1): FilterState => ({
  generation,
  searched_bytes: 0,
  total_bytes: 0,
  settled_line: 0,
  from_key,
  parts: linesParts(set.partsFrom(from_key)),
  rules: [],
  done: false,
});

describe('combineInto', () => {
  it('lets a line pass that one set shows and none hides, within the spans', () => {
    const spans = fc.array(
      fc.tuple(fc.integer({ min: 1, max: LAST }), fc.integer({ min: 0, max: LAST })).map(([first, size]) => ({
        first,
        last: first + size,
      })),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(
        fc.array(members, { maxLength: 2 }),
        fc.array(members, { maxLength: 2 }),
        spans,
        (show, hide, within) => {
          const passing = new LineSet();
          const rules = { show: show.map((has) => setOf(has)), hide: hide.map((has) => setOf(has)), within };
          combineInto(passing, rules, 0, LAST);
          const expected = setOf(
            (line) =>
              (show.length === 0 || show.some((has) => has(line))) &&
              !hide.some((has) => has(line)) &&
              (within.length === 0 || within.some(({ first, last }) => line >= first && line <= last)),
          );
          expect(passing.size).toBe(expected.size);
          expect(membersOf(passing)).toEqual(membersOf(expected));
        },
      ),
      { numRuns: 8 },
    );
  });

  it('rebuilds only the last containers when more lines are known', () => {
    const even = setOf((line) => line % 2 === 0);
    const passing = new LineSet();
    combineInto(passing, { show: [], hide: [even], within: [] }, 0, 70_001);
    expect(passing.size).toBe(35_001);
    combineInto(passing, { show: [], hide: [even], within: [] }, 1, LAST);
    expect(passing.size).toBe(LAST / 2);
    expect(passing.kth(0)).toBe(1);
  });
});

describe('the encoded lines', () => {
  it('arrive as they were sent, in every form', () => {
    fc.assert(
      fc.property(members, (has) => {
        const lines = new LineSet();
        takeParts(lines, state(0, setOf(has)));
        expect(membersOf(lines)).toEqual(membersOf(setOf(has)));
      }),
      { numRuns: 5 },
    );
  });

  it('use the smallest encoding', () => {
    const bytes = (set: LineSet) => linesParts(set.parts()).map(({ form, data }) => [form, data.length]);
    expect(bytes(setOf((line) => line < 3))).toEqual([['members', 8]]);
    expect(bytes(setOf((line) => line % 2 === 0, 65_535))).toEqual([['bits', 10_924]]);
    expect(bytes(setOf((line) => line !== 7, 65_535))).toEqual([['absent', 8]]);
  });

  it('are complete when events were merged for a slow window', () => {
    const odd = setOf((line) => line % 2 === 1);
    const first = state(
      0,
      setOf((line) => line % 2 === 1, 70_000),
    );
    const merged = mergeFilterStates(first, state(1, odd));
    expect(merged.from_key).toBe(0);
    const lines = new LineSet();
    takeParts(lines, merged);
    expect(membersOf(lines)).toEqual(membersOf(odd));
    expect(mergeFilterStates(first, state(0, odd, 2)).parts).toHaveLength(3);
  });
});

describe('entries with a found line', () => {
  /** Rising numbers, near both ends of the first containers. */
  const lines = fc
    .uniqueArray(
      fc.oneof(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: SPAN - 20, max: SPAN + 20 }),
        fc.integer({ min: 2 * SPAN - 9, max: 2 * SPAN + 9 }),
      ),
      { maxLength: 40 },
    )
    .map((list) => list.sort((a, b) => a - b));
  const setOf = (list: readonly number[]) => {
    const set = new LineSet();
    set.append(list);
    return set;
  };

  it('are all lines from the one that begins each to the one before the next', () => {
    fc.assert(
      fc.property(lines, lines, fc.integer({ min: 0, max: 2 }), (found, starts, fromKey) => {
        const last = 2 * SPAN + 20;
        const begins = [...new Set([1, ...starts])];
        const entries = begins.map((start, i) => ({ start, end: (begins[i + 1] ?? last + 1) - 1 }));
        const hit = entries.filter(({ start, end }) => found.some((line) => line >= start && line <= end));
        const expected = new Set<number>();
        for (const { start, end } of hit)
          for (let line = Math.max(start, fromKey * SPAN); line <= end; line += 1) expected.add(line);
        const got = entriesWith(setOf(found), setOf(starts), fromKey, last);
        expect(got.slice(0, last).length).toBe(expected.size);
        expect(got.slice(0, last).every((line) => expected.has(line))).toBe(true);
      }),
      { numRuns: 12 },
    );
  });
});
