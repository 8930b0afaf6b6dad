/** Ids as a person shortens them: a beginning, `last`, `last-failed`; and what `list` says of commands. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { runCliCheaply } from '../../fixtures/cli-here.ts';

let place: Place;
const run = (...args: string[]) => runCliCheaply(args, place);

beforeAll(async () => {
  place = makePlace();
  await run('run', '--quiet', '--', 'sh', '-c', 'echo "first  one"; exit 3');
  await run('run', '--quiet', '--', 'echo', 'second');
  writeFileSync(join(place.files, 'newest.log'), 'a watched file\n');
});
afterAll(() => place.remove());

test('last is the newest that Spillway recorded, last-failed the newest that failed', async () => {
  expect((await run('inspect', 'last')).stdout).toBe('second\n');
  expect((await run('inspect', 'last-failed')).stdout).toBe('first  one\n');
  expect((await run('read', 'last', '--limit', '3')).stdout).toBe('sec');
});

test('an id may be shortened as long as only one begins like that', async () => {
  expect((await run('inspect', 'cmd-ec')).stdout).toBe('second\n');
  const { status, stderr } = await run('inspect', 'cmd-');
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /^spillway: 2 ids begin with "cmd-": give more characters of one: cmd-\S+, cmd-\S+\n$/,
  );
});

test('the last part of an id is enough, and all that a narrow terminal shows of it', async () => {
  const { outputs } = JSON.parse((await run('list', '--kind', 'cmd', '--json')).stdout);
  const last = outputs.map(({ artifact_id: id }: { artifact_id: string }) => id.split('-').at(-1));
  expect((await run('inspect', last[0])).stdout).toBe('second\n');
  expect((await run('inspect', last[0].slice(1))).status).toBe(2);
});

test('a file of that name comes first', async () => {
  writeFileSync(join(place.files, 'cmd-ec'), 'the file\n');
  expect((await run('inspect', 'cmd-ec')).stdout).toBe('the file\n');
});

test('pin, unpin and cleanup --keep take them, too', async () => {
  expect((await run('pin', 'last')).stdout).toMatch(/^cmd-echo_second-\S+ is pinned\n$/);
  expect((await run('unpin', 'cmd-echo')).stdout).toMatch(/ is no longer pinned\n$/);
  const { stdout } = await run(
    'cleanup',
    '--older-than',
    '0',
    '--keep',
    'last-failed',
    '--dry-run',
    '--json',
  );
  const { removed, stayed } = JSON.parse(stdout);
  expect(removed.map((one: { artifact_id: string }) => one.artifact_id)).toEqual([
    expect.stringMatching(/^cmd-echo_second-/),
  ]);
  expect(stayed).toEqual([expect.objectContaining({ reason: 'kept' })]);
});

test('list shows the line that a command was, and its exit status', async () => {
  const { stdout } = await run('list', '--kind', 'cmd');
  expect(stdout).toMatch(/ failed \(3\) .* echo "first {2}one"; exit 3$/m);
  expect(stdout).toMatch(/ succeeded .* echo second$/m);
});

test('says what to do when nothing was recorded', async () => {
  const empty = makePlace();
  const { status, stderr } = await runCli(['inspect', 'last'], empty);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'spillway: nothing is recorded yet: record a command with `spillway run -- CMD`\n',
  });
  empty.remove();
});
