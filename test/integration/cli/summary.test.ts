/** Tries `inspect --mode summary` on logs of JSON. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { runCliHere } from '../../fixtures/cli-here.ts';

let place: Place;
beforeAll(() => {
  place = makePlace();
});
afterAll(() => place.remove());

const run = (file: string, ...options: string[]) =>
  runCliHere(['inspect', file, '--mode', 'summary', ...options], place);

test('a summary of JSON lines has their keys and messages', async () => {
  const objects = Array.from({ length: 300 }, (_, i) => ({
    level: i === 200 ? 'error' : 'info',
    msg: `step ${i} is done`,
  }));
  const lines = objects.map((object) => `${JSON.stringify(object)}\r\n`);
  writeFileSync(join(place.files, 'lines.log'), lines.join(''));
  const report = (await run('lines.log')).stdout;
  expect(report).toContain('JSON      objects, one per line: level, msg\n');
  expect(report).toMatch(/First errors\n +201 {2}\{"level":"error","msg":"step 200 is done"\}\n/);
  expect(report).toMatch(
    / 299 {2}info: step <n> is done {2}\(line 1\)\n +1 {2}error: step <n> is done {2}\(line 201\)\n$/,
  );
});

test('a summary of indented JSON has messages, and no brackets', async () => {
  const objects = Array.from({ length: 30 }, (_, i) => ({
    level: i % 10 === 9 ? 'error' : 'info',
    http: { status: i },
    msg: `step ${i} is done`,
  }));
  const wordless = { level: 'error', id: 'x' };
  writeFileSync(join(place.files, 'pretty.json'), JSON.stringify([wordless, ...objects], null, 2));
  const { stdout } = await run('pretty.json', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    json: { type: 'array', length: 31 },
    levels: { error: 4, info: 27 },
    first_errors: [
      { line_number: 74, text: '    "msg": "step 9 is done"' },
      { line_number: 144, text: '    "msg": "step 19 is done"' },
      { line_number: 214, text: '    "msg": "step 29 is done"' },
    ],
    shapes: [{ shape: '"msg": "step <n> is done"', count: 30 }],
  });
});

test('the lines that continue an error are no errors of their own', async () => {
  const lines = [
    'ERROR request failed',
    'Caused by: java.sql.SQLException: lost',
    '\tSuppressed: java.io.IOException: shut',
    'ERROR next',
  ];
  writeFileSync(join(place.files, 'caused.log'), `${lines.join('\n')}\n`);
  expect((await run('caused.log')).stdout).toMatch(
    /First errors\n +1 {2}ERROR request failed\n +4 {2}ERROR next\n/,
  );
});
