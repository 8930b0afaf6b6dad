/** `spillway search`: which outputs it searches, what it prints, and its exit status. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FoundOutputs } from '../../../shared/search-outputs.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { runCliCheaply } from '../../fixtures/cli-here.ts';

let place: Place;
const run = (...args: string[]) => runCliCheaply(args, place);
/** Records a command that prints the lines, and returns its id. */
async function record(status: number, session: string, ...lines: string[]): Promise<string> {
  const prints = ['sh', '-c', `printf '%s\\n' "$@"; exit ${status}`, 'sh', ...lines];
  await run('run', '--quiet', '--session', session, '--', ...prints);
  const { stdout } = await run('list', '--limit', '1', '--json');
  return JSON.parse(stdout).outputs[0].artifact_id;
}
async function found(...args: string[]) {
  const { status, stdout } = await run('search', ...args, '--json');
  return { status, ...FoundOutputs.parse(JSON.parse(stdout)) };
}

let ids: string[];
beforeAll(async () => {
  place = makePlace();
  ids = [
    await record(1, 'one', 'begin', 'request 17 took 31 ms: refused', 'a[0] is bad', 'all is refused'),
    await record(0, 'two', 'begin', 'request 4 took 9 ms: refused', 'request 5 took 8 ms: refused'),
    await record(1, 'two', 'begin', 'request 99 took 1 ms: Refused', 'the disk is full: refused'),
  ];
});
afterAll(() => place.remove());

test('prints each message once, as of the newest output, with the other places that have it', async () => {
  const { status, stdout, stderr } = await run('search', 'refused');
  expect(stdout).toBe(
    [
      `${ids[2]}:2:request 99 took 1 ms: Refused`,
      `${ids[2]}:3:the disk is full: refused`,
      `${ids[1]}:2:request 4 took 9 ms: refused`,
      `    3 lines like it in 2 outputs: ${ids[0]}:2`,
      `${ids[0]}:4:all is refused`,
      '',
    ].join('\n'),
  );
  expect(stderr).toContain('6 lines in 3 of 3 outputs');
  expect(status).toBe(0);
});

test('--json has each output with its count and its messages, newest first', async () => {
  const { status, outputs, shapes, ...rest } = await found('refused');
  expect(status).toBe(0);
  expect(outputs.map(({ artifact_id, match_count }) => [artifact_id, match_count])).toEqual([
    [ids[2], 2],
    [ids[1], 2],
    [ids[0], 2],
  ]);
  const shape = 'request <n> took <n> ms: refused';
  expect(outputs[1]).toMatchObject({
    ...{ status: 'succeeded', exit_code: 0, truncated: false },
    lines: [{ shape, count: 2, line_number: 2, text: 'request 4 took 9 ms: refused' }],
  });
  expect(shapes.find((one) => one.shape === shape)).toMatchObject({
    ...{ count: 3, output_count: 2, artifact_id: ids[1], line_number: 2 },
  });
  expect(rest).toEqual({
    ...{ match_count: 6, searched: 3, unsearched: 0, timed_out: false, next_cursor: null },
  });
});

test('searches only the outputs that the options name', async () => {
  const named = async (...args: string[]) =>
    (await found('refused', ...args)).outputs.map((one) => one.artifact_id);
  expect(await named('--failed')).toEqual([ids[2], ids[0]]);
  expect(await named('--session', 'two')).toEqual([ids[2], ids[1]]);
  expect(await named('--kind', 'terminal')).toEqual([]);
  expect(await named('--since', '1h')).toEqual([ids[2], ids[1], ids[0]]);
  expect(await named('--since', '2099-01-01')).toEqual([]);
  expect(await named('--case-sensitive', '--failed')).toEqual([ids[2], ids[0]]);
  expect((await found('a[0]', '--fixed')).outputs.map((one) => one.artifact_id)).toEqual([ids[0]]);
  const listed = async (...args: string[]) =>
    JSON.parse((await run('list', '--kind', 'cmd', '--json', ...args)).stdout).outputs.map(
      (one: { artifact_id: string }) => one.artifact_id,
    );
  expect(await listed('--failed')).toEqual([ids[2], ids[0]]);
  expect(await listed('--since', '1h')).toEqual([ids[2], ids[1], ids[0]]);
  expect(await listed('--since', '2099-01-01')).toEqual([]);
});

test('exits with 1 when nothing was found, and with 2 when no output could be searched', async () => {
  expect((await run('search', 'no such words')).status).toBe(1);
  const nothing = await run('search', 'refused', '--session', 'nobody');
  expect([nothing.status, nothing.stdout]).toEqual([1, '']);
  expect(nothing.stderr).toContain('no output is like that: leave out some of the options');
  writeFileSync(join(place.files, 'data.bin'), Buffer.from([0, 1, 2, 0, 0, 3]));
  expect((await run('search', 'refused', '--kind', 'file')).status).toBe(2);
  rmSync(join(place.files, 'data.bin'));
});

test('refuses what is no expression and what is no time, and says so', async () => {
  const none = await run('search');
  expect([none.status, none.stderr]).toEqual([
    2,
    'spillway: search needs a pattern: give one, as in `spillway search error`\n',
  ]);
  const bad = await run('search', 'a(');
  expect([bad.status, bad.stderr]).toEqual([2, expect.stringContaining('a(')]);
  const time = await run('search', 'a', '--since', 'lunch');
  expect([time.status, time.stderr]).toEqual([2, expect.stringContaining('"lunch" is no time')]);
});

test('an expression that makes no progress exits with 2, with what it found elsewhere', async () => {
  await record(0, 'slow', `${'a'.repeat(60)}!`);
  const { status, timed_out, unsearched } = await found('(a+)+(b|\\1)$', '--session', 'slow');
  expect([status, timed_out, unsearched]).toEqual([2, true, 0]);
});

test('an output is found by its id, though a newer command names it', async () => {
  const [first] = ids;
  await run('run', '--quiet', '--session', 'naming', '--', 'sh', '-c', `: ${first}`);
  const { status, stdout } = await run('seen', first!, '--json');
  expect([status, JSON.parse(stdout).artifact_id]).toEqual([0, first]);
});
