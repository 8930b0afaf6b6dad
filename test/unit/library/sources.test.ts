import { expect, it } from 'vitest';
import { belongs, childBelongs, directory, type Source } from '../../../electron/library/source.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

const source: Source = { path: '/s', kind: directory, readableOverMcp: true };
const home = '/s/a/home';
const name = fc.constantFrom('a', 'home', 'b.log', '.hidden', '..odd', 'node_modules');
const type = fc.constantFrom(
  { isFile: () => true, isDirectory: () => false },
  { isFile: () => false, isDirectory: () => true },
  { isFile: () => false, isDirectory: () => false },
);

it('a source has the same entries whether they are matched by whole path or folder by folder', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 11 }), type, (names, last) => {
      const folder = { isFile: () => false, isDirectory: () => true };
      const fromAbove = names.every((each, depth) => {
        const path = ['/s', ...names.slice(0, depth + 1)].join('/');
        return childBelongs(
          source,
          names.slice(0, depth),
          each,
          path,
          home,
          depth === names.length - 1 ? last : folder,
        );
      });
      expect(fromAbove).toBe(belongs(source, ['/s', ...names].join('/'), home, last));
    }),
    { numRuns: cases(2000) },
  );
});
