/** `inspect --where` and `--field`, as a person or a script sees them. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GrepView, SummaryView } from '../../../shared/views.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { runCliHere } from '../../fixtures/cli-here.ts';

let place: Place;
/** Larger than a stretch, so that several threads or steps count it. */
const OBJECTS = Array.from({ length: 60_000 }, (_, i) => ({
  time: new Date(Date.UTC(2026, 2, 1) + i * 1000).toISOString(),
  level: i % 50 === 7 ? 'error' : 'info',
  http: { path: `/users/${i}`, status: [200, 404, 500][i % 3] },
  duration: `${i % 3000}ms`,
  msg: 'request done',
}));

beforeAll(() => {
  place = makePlace();
  const put = (name: string, lines: readonly string[]) =>
    writeFileSync(join(place.files, name), lines.map((line) => `${line}\n`).join(''));
  put(
    'api.jsonl',
    OBJECTS.map((one) => JSON.stringify(one)),
  );
  put('accounts.jsonl', [
    JSON.stringify({ user: 'ann', password: 'NqVwYS81VP7Hb1' }),
    JSON.stringify({ user: 'bob', password: 'x9Lm2Kp7Qz"\\4' }),
  ]);
  put('app.log', [
    ...Array.from(
      { length: 60 },
      (_, i) => `ts=2026-03-01T10:00:${10 + (i % 50)}Z level=info took=${i / 10}s n=${i}`,
    ),
    `\u001b[31mts=2026-03-01T10:02:00Z level=error took=9s n=60\u001b[0m`,
    `level=info took=9s ${'x'.repeat(5 << 20)}`,
  ]);
});
afterAll(() => place.remove());

const run = (...args: string[]) => runCliHere(args, place);
const grep = async (...args: string[]) =>
  JSON.parse((await run('inspect', ...args, '--json')).stdout) as GrepView;

test('lines are found by conditions on their fields, exactly', async () => {
  const wanted = OBJECTS.flatMap((one, i) =>
    one.http.status === 500 && Number.parseInt(one.duration, 10) > 1500 ? [i + 1] : [],
  );
  const found = await grep(
    'api.jsonl',
    '--where',
    'http.status>=500, duration>1.5s',
    '--max-matches',
    '2000',
  );
  expect(found.match_count).toBe(wanted.length);
  expect(found.matches.map(({ line_number }) => line_number)).toEqual(wanted.slice(0, 2000));
  const errors = await grep(
    'api.jsonl',
    '--where',
    'level>=error',
    '--pattern',
    '/users/[0-9]{2}"',
    '--max-matches',
    '9',
  );
  expect(errors.matches.map(({ line_number }) => line_number)).toEqual([58]);
  const others = await grep('api.jsonl', '--where', 'http.status=200', '--invert', '--max-matches', '0');
  expect(others.match_count).toBe(40_000);
});

test('conditions read coloured and very long lines, and named groups', async () => {
  expect(await run('inspect', 'app.log', '--where', 'took>=9s', '--max-matches', '0')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('2 lines match'),
  });
  const named = await run(
    'inspect',
    'app.log',
    '--pattern',
    'n=(?<n>\\d+)',
    '--where',
    'n>58',
    '--context',
    '0',
  );
  expect(named.stdout.split('\n').map((line) => line.split(':')[0])).toEqual(['60', '61', '']);
});

test.each([
  ['within one stretch', 100, 200],
  ['over several stretches', 7, 59_000],
  ['from the beginning', 1, 30_000],
  ['to the end', 30_001, 60_000],
])('a summary of some lines is that of a file of these lines: %s', async (_, first, last) => {
  const lines = OBJECTS.slice(first - 1, last);
  writeFileSync(join(place.files, 'part.jsonl'), lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const summary = async (...args: string[]) =>
    JSON.parse((await run('inspect', ...args, '--field', 'http.status', '--json')).stdout) as SummaryView;
  const bounds = ['--since', lines[0]!.time, '--until', lines.at(-1)!.time];
  const { levels, line_length_mean, blank_lines, first_timestamp, last_timestamp, ...part } = await summary(
    'api.jsonl',
    ...bounds,
  );
  const whole = await summary('part.jsonl');
  expect({ levels, line_length_mean, blank_lines, first_timestamp, last_timestamp }).toEqual({
    levels: whole.levels,
    line_length_mean: whole.line_length_mean,
    blank_lines: 0,
    first_timestamp: whole.first_timestamp,
    last_timestamp: whole.last_timestamp,
  });
  const moved = <T extends object>(one: T, name: keyof T) => ({
    ...one,
    [name]: Number(one[name]) + first - 1,
  });
  expect(part.first_errors).toEqual(whole.first_errors.map((one) => moved(one, 'line_number')));
  expect(part.shapes).toEqual(whole.shapes.map((one) => moved(one, 'first_line')));
  expect(part.field_values!.values).toEqual(
    whole.field_values!.values.map((one) => moved(one, 'first_line')),
  );
  expect(part).toMatchObject({ start_line: first, end_line: last, total_lines: 60_000 });
});

test("the named groups of a person's patterns are fields", async () => {
  const config = join(place.home, 'config.json');
  const lines = Array.from({ length: 300 }, (_, i) => `<${i % 3}> ann took ${i} ms`);
  writeFileSync(join(place.files, 'own.log'), `${lines.join('\n')}\nno such line\n`);
  writeFileSync(
    config,
    JSON.stringify({ fieldPatterns: ['^<(?<class>\\d)> (?<who>\\w+) took (?<spent>\\d+)'] }),
  );
  const found = await grep('own.log', '--where', 'class=2, spent>=290', '--max-matches', '9');
  expect(found.matches.map(({ line_number }) => line_number)).toEqual([291, 294, 297, 300]);
  const { stdout } = await run('inspect', 'own.log', '--field', 'class', '--json');
  const { field_values: counted, format } = JSON.parse(stdout) as SummaryView;
  expect(counted!.values.map(({ value, count }) => [value, count])).toEqual([
    ['0', 100],
    ['1', 100],
    ['2', 100],
  ]);
  expect(format!.fields).toEqual(['class', 'who', 'spent']);
  expect(await run('inspect', 'own.log', '--where', 'clas=1')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('fields there: class, who, spent'),
  });
  writeFileSync(config, JSON.stringify({ fieldPatterns: ['^(?<all>(?:a+)+)$'] }));
  writeFileSync(join(place.files, 'own.log'), `${'a'.repeat(60)}!\n`.repeat(9));
  expect(await run('inspect', 'own.log', '--mode', 'summary')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('fieldPatterns are not used: one made no progress; simplify it'),
  });
  rmSync(config);
});

test('a search by conditions ends as any search', async () => {
  expect(await run('inspect', 'app.log', '--where', 'took>1h')).toMatchObject({ status: 1 });
  expect(await run('inspect', 'app.log', '--where', 'took>')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/is no condition/),
  });
  expect(await run('inspect', 'app.log', '--where', 'took>1parsec')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/parsec is no unit: write ns, us/),
  });
  expect(await run('inspect', 'app.log', '--where', 'toook>1s')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/no line that has the field toook \(fields there: .*\btook\b/),
  });
  expect(await run('inspect', 'app.log', '--where', 'took>1s', '--mode', 'head')).toMatchObject({
    status: 2,
  });
});

test('values that are secrets by the name of their field are masked when asked', async () => {
  const counted = ['inspect', 'accounts.jsonl', '--json', '--field'];
  const { stdout } = await run(...counted, 'password', '--redact');
  expect(stdout).not.toMatch(/NqVwYS81VP7Hb1|x9Lm2Kp7Qz/);
  expect(JSON.parse(stdout)).toMatchObject({
    field_values: { lines: 2, distinct: 2 },
    redacted: expect.any(Number),
  });
  expect((await run(...counted, 'password')).stdout).toContain('NqVwYS81VP7Hb1');
  expect((await run(...counted, 'user', '--redact')).stdout).toContain('"value":"ann"');
});

test('the values of a field are counted over the whole file', async () => {
  const { stdout } = await run('inspect', 'api.jsonl', '--field', 'http.status', '--json');
  const { field_values: counted, total_lines } = JSON.parse(stdout) as SummaryView;
  expect(total_lines).toBe(60_000);
  expect(counted).toMatchObject({
    ...{ field: 'http.status', lines: 60_000, distinct: 3, exact: true, range: { least: 200, most: 500 } },
    values: [
      { value: '200', count: 20_000, first_line: 1 },
      { value: '404', count: 20_000, first_line: 2 },
      { value: '500', count: 20_000, first_line: 3 },
    ],
  });
  expect((await run('inspect', 'api.jsonl', '--field', 'http.path')).stdout).toMatch(
    /http\.path: 60,000 lines, more than 20,000 values\n +20,000 {2}\S+ {2}\(line 1\)\n/,
  );
});
