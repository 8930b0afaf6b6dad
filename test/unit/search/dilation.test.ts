import { describe, expect, it } from 'vitest';
import { ResultRows } from '../../../electron/host/search/search-job.ts';
import { Dilation } from '../../../electron/search/dilation.ts';
import { LineSet } from '../../../shared/line-set.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

const SPAN = 65_536;

/** Lines near the places where the set changes its container, and anywhere. */
const line = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.tuple(fc.constantFrom(1, 2, 4, 9), fc.integer({ min: -9, max: 9 })).map(([key, by]) => key * SPAN + by),
  fc.integer({ min: 1, max: 10 * SPAN }),
);
const lines = fc
  .tuple(
    fc.uniqueArray(line, { maxLength: 60 }),
    fc.option(fc.tuple(line, fc.integer({ min: 1, max: 6000 }))),
  )
  // A run, so that containers are bitmaps too.
  .map(([some, run]) => [...some, ...(run ? Array.from({ length: run[1] }, (_, i) => run[0] + i) : [])])
  .map((some) => [...new Set(some)].sort((a, b) => a - b));
/** Gaps, each after a line. */
const walls = fc
  .uniqueArray(line, { maxLength: 3 })
  .map((some) => some.sort((a, b) => a - b).map((after) => ({ after, lines: 5, cutsLine: false })));

function setOf(members: readonly number[]): LineSet {
  const set = new LineSet();
  set.append(members);
  return set;
}

/** All lines near a member, listed one by one. */
function near(members: readonly number[], context: number, gaps: readonly { after: number }[]): number[] {
  const found = new Set<number>();
  for (const member of members) {
    for (let at = member - context; at <= member + context; at += 1) {
      const apart = gaps.some(({ after }) => Math.min(at, member) <= after && after < Math.max(at, member));
      if (at >= 1 && !apart) found.add(at);
    }
  }
  return [...found].sort((a, b) => a - b);
}

function listed(dilation: Dilation): (number | undefined)[] {
  return Array.from({ length: dilation.size }, (_, k) => dilation.kth(k));
}

describe('a set of lines with their context', () => {
  it('holds each line near a member once, in order, and none beyond a gap', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 5 }), walls, (members, context, gaps) => {
        const dilation = new Dilation(context);
        dilation.update(setOf(members), gaps);
        const wanted = near(members, context, gaps);
        expect(listed(dilation)).toEqual(wanted);
        expect(dilation.kth(wanted.length)).toBeUndefined();
        expect(dilation.kth(-1)).toBeUndefined();
        for (const at of [
          0,
          1,
          ...members.slice(0, 40).flatMap((member) => [member - context, member + 1]),
        ]) {
          expect(dilation.rank(at)).toBe(wanted.filter((each) => each < at).length);
        }
      }),
      { numRuns: cases(400) },
    );
  });

  it('follows appended members, and members that were taken back and found anew', () => {
    const step = fc.record({ upTo: fc.double({ min: 0, max: 1, noNaN: true }), back: fc.boolean() });
    fc.assert(
      fc.property(lines, fc.array(step, { maxLength: 8 }), lines, (members, steps, others) => {
        const dilation = new Dilation(2);
        let set = new LineSet();
        let have: number[] = [];
        let from = members;
        for (const { upTo, back } of [...steps, { upTo: 1, back: false }]) {
          if (back && have.length > 0) {
            const line = have[Math.floor(have.length * upTo * 0.999)]!;
            set = set.below(line);
            dilation.rewind(line);
            have = have.filter((each) => each < line);
            from = others.filter((each) => each >= line);
          } else {
            const last = have.at(-1) ?? 0;
            const more = from.filter((each) => each > last);
            const next = more.slice(0, Math.ceil(more.length * upTo));
            set.append(next);
            have = [...have, ...next];
          }
          // Not every step is checked.
          if (have.length % 2 === 0) dilation.update(set, []);
        }
        dilation.update(set, []);
        expect(listed(dilation)).toEqual(near(have, 2, []));
      }),
      { numRuns: cases(400) },
    );
  });

  it('forgets the lines around a removed member, also below its span', () => {
    const dilation = new Dilation(3);
    const set = setOf([5, 2 * SPAN, 4 * SPAN]);
    dilation.update(set, []);
    dilation.rewind(2 * SPAN);
    const other = set.below(2 * SPAN);
    other.append([2 * SPAN + 9]);
    dilation.update(other, []);
    expect(listed(dilation)).toEqual(near([5, 2 * SPAN + 9], 3, []));
  });

  it('finds any row among fifty million lines', () => {
    const set = new LineSet();
    for (let start = 0; start < 50_000_000; start += 1_000_000) {
      // Two of ten: seven of ten with two lines around each.
      set.append(Array.from({ length: 200_000 }, (_, i) => start + Math.floor(i / 2) * 10 + 5 + (i % 2)));
    }
    const dilation = new Dilation(2);
    dilation.update(set, []);
    expect(dilation.size).toBe(30_000_000);
    expect([0, 5, 6, 29_999_999].map((k) => dilation.kth(k))).toEqual([3, 8, 13, 49_999_998]);
    expect(dilation.rank(25_000_003)).toBe(15_000_000);
  });
});

describe('rows of the results', () => {
  const found = { lines: setOf([3, 4, 9, 20]), gaps: [], settledLine: 21 };
  const rows = new ResultRows(() => found);

  it('hold each line once, and say which are matches', () => {
    expect(rows.page(2, 0, 100)).toEqual([
      { line: 1, match: null },
      { line: 2, match: null },
      { line: 3, match: 0 },
      { line: 4, match: 1 },
      { line: 5, match: null },
      { line: 6, match: null },
      { line: 7, match: null },
      { line: 8, match: null },
      { line: 9, match: 2 },
      { line: 10, match: null },
      { line: 11, match: null },
      { line: 18, match: null },
      { line: 19, match: null },
      { line: 20, match: 3 },
      { line: 21, match: null },
    ]);
    expect(rows.page(0, 1, 2)).toEqual([
      { line: 4, match: 1 },
      { line: 9, match: 2 },
    ]);
    expect(rows.page(2, 12, 2)).toEqual([
      { line: 19, match: null },
      { line: 20, match: 3 },
    ]);
    expect(rows.page(1, 100, 5)).toEqual([]);
  });

  it('are counted for every context, up to the line that is known', () => {
    expect(rows.counts()).toEqual([4, 10, 15, 17]);
    expect(new ResultRows(() => ({ ...found, settledLine: 20 })).counts()).toEqual([4, 9, 14, 16]);
  });

  it('are found from a line', () => {
    expect(rows.placesOf(20)).toEqual([3, 8, 13, 15]);
  });

  it('only grow while a search goes on; known rows stay', () => {
    const line = fc.integer({ min: 1, max: 80 });
    fc.assert(
      fc.property(fc.uniqueArray(line, { minLength: 1, maxLength: 40 }), fc.nat(3), (some, context) => {
        const all = some.sort((a, b) => a - b);
        let count = 0;
        const rows = new ResultRows(() => ({
          lines: setOf(all.slice(0, count)),
          gaps: [],
          settledLine: count > all.length ? 90 : (all[count - 1] ?? 0),
        }));
        let before: unknown[] = [];
        for (; count <= all.length + 1; count += 1) {
          const now = rows.page(context, 0, 1000);
          expect(rows.counts()[context]).toBe(now.length);
          expect(now.slice(0, before.length)).toEqual(before);
          before = now;
        }
        expect(before).toEqual(
          near(all, context, []).map((each) => ({
            line: each,
            match: all.includes(each) ? all.indexOf(each) : null,
          })),
        );
      }),
    );
  });
});
