import { describe, expect, it } from 'vitest';
import { IdBook, type IdSequence } from '../../../electron/library/files/known-files.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

/** A few ids that several files want, then one of the file's own. */
const rowOf =
  (path: string, wants: readonly number[]): IdSequence =>
  (attempt) =>
    attempt < wants.length ? `id-${wants[attempt]}` : `own-${path}-${attempt}`;

const Files = fc.uniqueArray(
  fc.record({
    path: fc.string({ minLength: 1, maxLength: 3 }),
    wants: fc.array(fc.nat(4), { maxLength: 4 }),
  }),
  { selector: ({ path }) => path, maxLength: 12 },
);

describe('ids that several files want', () => {
  it('are assigned alike, in whatever order files come and go', () => {
    fc.assert(
      fc.property(Files, fc.nat(), fc.array(fc.nat(), { maxLength: 12 }), (files, turn, leave) => {
        const one = new IdBook();
        const told = new Map<string, string>();
        const take = (paths: readonly string[]) => {
          for (const path of paths) told.set(path, one.of(path)!);
        };
        for (const { path, wants } of files) take(one.claim(path, rowOf(path, wants)));
        const gone = new Set(leave.flatMap((n) => (files.length > 0 ? [files[n % files.length]!.path] : [])));
        for (const path of gone) {
          take(one.release(path));
          told.delete(path);
        }
        const left = files.filter(({ path }) => !gone.has(path));
        const other = new IdBook();
        const rotated = [...left.slice(turn % (left.length + 1)), ...left.slice(0, turn % (left.length + 1))];
        for (const { path, wants } of rotated.reverse()) other.claim(path, rowOf(path, wants));
        for (const { path } of left) {
          expect(one.of(path)).toBe(other.of(path));
          expect(told.get(path)).toBe(one.of(path));
        }
        expect(new Set(left.map(({ path }) => one.of(path))).size).toBe(left.length);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('go to the path that sorts first; the other file takes its second choice until the id is free', () => {
    const book = new IdBook();
    book.claim('/b/x.log', rowOf('b', [1, 2]));
    expect(book.of('/b/x.log')).toBe('id-1');
    expect(book.claim('/a/x.log', rowOf('a', [1]))).toEqual(['/a/x.log', '/b/x.log']);
    expect([book.of('/a/x.log'), book.of('/b/x.log')]).toEqual(['id-1', 'id-2']);
    expect(book.release('/a/x.log')).toEqual(['/b/x.log']);
    expect(book.of('/b/x.log')).toBe('id-1');
  });
});
