/** SECURITY.md beside the code: each point names a file that is there, and a test that is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const points = read('SECURITY.md')
  .split('\n')
  .filter((line) => /^\| \d+\. /.test(line))
  .map((line) => line.slice(2, -2).split(' | ') as [point: string, place: string, test: string]);

it('has all points of the list', () => {
  expect(points.map(([point]) => Number.parseInt(point, 10))).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
});

it.each(points)('%s', (_point, place, test) => {
  const [, file = ''] = /^`([^`]+)`/.exec(place) ?? [];
  expect(existsSync(join(root, file))).toBe(true);
  const [, of, title] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
  if (of === undefined) expect(test).toMatch(/^none: /);
  else expect(read(of)).toContain(`'${title}'`);
});
