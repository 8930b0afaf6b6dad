import { describe, expect, it } from 'vitest';
import { type Container, LineSet, SPAN } from '../../../shared/line-set.ts';
import fc from '../../fixtures/fast-check.ts';

/** Rising numbers in runs: few, many, or all of a span. */
const runs = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 3000 }),
      fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 4000, max: 150_000 })),
      fc.integer({ min: 1, max: 3 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((list) => {
    const lines: number[] = [];
    let at = 0;
    for (const [gap, count, step] of list) {
      at += gap;
      for (let i = 0; i < count; i += 1, at += step) lines.push(at);
    }
    return lines;
  });

function membersOf(set: LineSet): number[] {
  const found: number[] = [];
  set.forEach((line) => {
    found.push(line);
  });
  return found;
}

/** Appends the numbers in parts, each relative to a base of its own, and asks in between. */
function appended(lines: readonly number[], parts: number, askBetween: boolean): LineSet {
  const set = new LineSet();
  const length = Math.ceil(lines.length / parts);
  for (let from = 0; from < lines.length; from += length) {
    const base = lines[from]! - 1;
    const part = lines.slice(from, from + length);
    set.append(
      part.map((line) => line - base),
      base,
    );
    if (askBetween) expect(set.size).toBe(Math.min(from + length, lines.length));
  }
  return set;
}

describe('a set of lines', () => {
  it('holds the appended numbers, in whatever parts they came', () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 9 }), fc.boolean(), (lines, parts, askBetween) => {
        const set = appended(lines, parts, askBetween);
        expect(set.size).toBe(lines.length);
        expect(membersOf(set)).toEqual(lines);
        for (const k of [0, lines.length >> 1, lines.length - 1]) {
          expect(set.kth(k)).toBe(lines[k]);
          expect(set.rank(lines[k]!)).toBe(k);
        }
        expect(set.kth(lines.length)).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });

  it('counts lines again that were dropped and appended again', () => {
    const set = new LineSet();
    const first = Array.from({ length: 2 * SPAN }, (_, i) => i);
    set.append(first);
    expect(set.size).toBe(2 * SPAN);
    set.dropFrom(1);
    expect(set.size).toBe(SPAN);
    set.append([SPAN + 7]);
    expect(set.size).toBe(SPAN + 1);
    expect(set.kth(SPAN)).toBe(SPAN + 7);
  });

  it('takes no more memory for more lines that follow one another', () => {
    const set = new LineSet();
    const lines = Uint32Array.from({ length: 100_000 }, (_, i) => i);
    for (let base = 0; base < 100 * SPAN; base += lines.length) set.append(lines, base);
    const { containers } = set.parts();
    expect(containers.length).toBeGreaterThan(100);
    expect(new Set<Container>(containers).size).toBeLessThan(3);
  });
});
