/** `inspect --mode outline` and `--section`: sections of files, commands and terminals. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { runCliHere } from '../../fixtures/cli-here.ts';

let place: Place;
const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();
const CI = [
  `${at(0)} ##[group]Run npm ci`,
  `${at(0)} ##[endgroup]`,
  `${at(1)} added 9 packages`,
  `${at(5)} ##[group]Run npm test`,
  `${at(5)} ##[endgroup]`,
  `${at(6)} FAIL src/sum.test.js`,
  `${at(7)} Error: expected 4`,
  `${at(8)} ##[error]Process completed with exit code 1.`,
  `${at(9)} Post job cleanup.`,
];
/** A line a second, but after line 40 only after a minute. */
const APP = Array.from({ length: 100 }, (_, i) => `${at(i < 40 ? i : i + 60)} INFO served request ${i}`);

beforeAll(() => {
  place = makePlace();
  writeFileSync(join(place.files, 'ci.log'), `${CI.join('\n')}\n`);
  writeFileSync(join(place.files, 'app.log'), `${APP.join('\n')}\n`);
});
afterAll(() => place.remove());

const run = (...args: string[]) => runCliHere(['inspect', ...args], place);

test('an outline lists the sections with their lines, duration, status and errors', async () => {
  const view = JSON.parse((await run('ci.log', '--mode', 'outline', '--json')).stdout);
  expect(view).toMatchObject({ mode: 'outline', total_sections: 4, shapes: [] });
  expect(view.pauses).toContainEqual({ start_line: 3, duration_ms: 4000 });
  expect(view.sections).toEqual([
    { title: 'Run npm ci', level: 1, start_line: 1, end_line: 3, status: 'ok', duration_ms: 5000, errors: 0 },
    {
      title: 'Run npm test',
      level: 1,
      start_line: 4,
      end_line: 8,
      status: 'failed',
      duration_ms: 4000,
      errors: 3,
    },
    {
      ...{ title: 'src/sum.test.js', level: 2, start_line: 6, end_line: 8, status: 'failed' },
      ...{ duration_ms: 3000, errors: 3, failing: true },
    },
    {
      title: 'Post job cleanup',
      level: 1,
      start_line: 9,
      end_line: 9,
      status: null,
      duration_ms: 0,
      errors: 0,
    },
  ]);
  const table = (await run('ci.log', '--mode', 'outline')).stdout.trimEnd().split('\n');
  expect(table).toHaveLength(4);
  expect(table[2]).toBe('> 6-8      3 s failed   3 errors    src/sum.test.js');
});

test('a section bounds what is shown, searched and explained', async () => {
  expect((await run('ci.log', '--section', 'Run npm ci')).stdout).toBe(`${CI.slice(0, 3).join('\n')}\n`);
  expect((await run('ci.log', '--section', 'SUM.test', '--mode', 'tail', '--lines', '1')).stdout).toBe(
    `${CI[7]}\n`,
  );
  const found = await run('ci.log', '--section', 'npm test', '--pattern', 'group', '--context', '0');
  expect(found.stdout.split('\n')).toEqual([`4:${CI[3]}`, `5:${CI[4]}`, '']);
  expect((await run('ci.log', '--section', 'npm test', '--mode', 'failure')).stdout).toContain('expected 4');
});

test('an unknown or ambiguous section is an error that names the nearest', async () => {
  const unknown = await run('ci.log', '--section', 'Run npm tets');
  expect(unknown).toMatchObject({ status: 2, stdout: '' });
  expect(unknown.stderr).toContain('no section matches "Run npm tets": the nearest are Run npm test');
  const both = await run('ci.log', '--section', 'npm');
  expect(both.status).toBe(2);
  expect(both.stderr).toContain('Run npm ci (lines 1 to 3), Run npm test (lines 4 to 8)');
  expect((await run('app.log', '--section', 'x')).stderr).toContain('the text has no sections');
  expect((await run('ci.log', '--section', ' ')).stderr).toContain('the section has no name');
  const outside = await run('ci.log', '--section', 'npm test', '--start', '1', '--end', '2');
  expect([outside.status, outside.stdout]).toEqual([0, '']);
  expect(outside.stderr).toContain('these are lines 4 to 8, and the range is outside of them');
});

test("a person's own patterns begin sections, around those that are known, and are a section's name", async () => {
  const own = [
    `${at(0)} == load ==`,
    `${at(1)} -- users --`,
    `${at(2)} ##[group]Fetch`,
    `${at(3)} ERROR no such user`,
    `${at(4)} -- orders --`,
    `${at(9)} == store ==`,
    `${at(11)} done`,
  ];
  writeFileSync(join(place.files, 'own.log'), `${own.join('\n')}\n`);
  const config = join(place.home, 'config.json');
  writeFileSync(config, JSON.stringify({ sectionPatterns: ['== \\w+ ==$', '-- \\w+ --$'] }));
  const { sections } = JSON.parse((await run('own.log', '--mode', 'outline', '--json')).stdout);
  type Found = Record<'title' | 'level' | 'start_line' | 'end_line' | 'duration_ms' | 'errors', unknown>;
  const facts = ({ title, level, start_line, end_line, duration_ms, errors }: Found) =>
    [title, level, start_line, end_line, duration_ms, errors] as const;
  expect(sections.map(facts)).toEqual([
    ['== load ==', 1, 1, 5, 9000, 1],
    ['-- users --', 2, 2, 4, 3000, 1],
    ['Fetch', 3, 3, 4, expect.any(Number), 1],
    ['-- orders --', 2, 5, 5, 5000, 0],
    ['== store ==', 1, 6, 7, 2000, 0],
  ]);
  expect((await run('own.log', '--section', 'orders')).stdout).toBe(`${own[4]}\n`);
  writeFileSync(config, JSON.stringify({ sectionPatterns: ['('] }));
  const { stdout, stderr } = await run('own.log', '--mode', 'outline');
  expect(stdout.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain('sectionPatterns must be a list of regular expressions, not ["("]');
  rmSync(config);
});

test('of a text without sections, the longest pauses and frequent messages are listed in their places', async () => {
  const view = JSON.parse((await run('app.log', '--mode', 'outline', '--json')).stdout);
  expect(view.sections).toEqual([]);
  expect(view.pauses).toContainEqual({ start_line: 40, duration_ms: 61_000 });
  expect(view.shapes).toMatchObject([{ count: 100, first_line: 1 }]);
  expect((await run('app.log', '--mode', 'outline')).stdout).toContain('after line 40');
});
