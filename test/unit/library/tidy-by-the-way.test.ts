/** Recording commands start a cleanup of the home from time to time, and never fail because of it. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  claim,
  noteTidied,
  TIDY_EVERY_MS,
  tidyByTheWay,
} from '../../../electron/host/lifecycle/tidy-by-the-way.ts';
import { isStopRequested, requestStop } from '../../../electron/host/recording/run-request.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let home: string;
const run = () => join(home, 'run');
const marker = () => join(run(), 'tidied');
const age = () => Date.now() - lstatSync(marker()).mtimeMs;

beforeEach(() => {
  home = makeFolder();
  mkdirSync(run(), { mode: 0o700 });
});
afterEach(() => removeFolder(home));

function doneAgo(ms: number): void {
  const then = new Date(Date.now() - ms);
  writeFileSync(marker(), '');
  utimesSync(marker(), then, then);
}

describe('processes that find a cleanup due at the same time', () => {
  test('let one claim it; another that read the file before puts it back unchanged', () => {
    doneAgo(TIDY_EVERY_MS + 1000);
    expect(claim(home)).toBe(true);
    doneAgo(TIDY_EVERY_MS / 2);
    const before = lstatSync(marker());
    expect(claim(home)).toBe(false);
    expect(lstatSync(marker())).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(readdirSync(run())).toEqual(['tidied']);
  });

  test('claim nothing while another has moved the file away', () => {
    expect(claim(home)).toBe(false);
    expect(readdirSync(run())).toEqual([]);
  });

  test('clean up also after the clock was set back', () => {
    doneAgo(-TIDY_EVERY_MS - 60_000);
    expect(claim(home)).toBe(true);
    expect(Math.abs(age())).toBeLessThan(TIDY_EVERY_MS);
  });
});

test('a process that died with the file moved away delays the cleanup by one interval, and its leftovers are removed', async () => {
  doneAgo(TIDY_EVERY_MS + 1000);
  renameSync(marker(), join(run(), 'tidied.4711'));
  await tidyByTheWay(home, ['/no/such/program']);
  expect(age()).toBeLessThan(TIDY_EVERY_MS);
  doneAgo(TIDY_EVERY_MS + 1000);
  const started = join(home, 'started');
  await tidyByTheWay(home, [process.execPath, '-e', `fs.writeFileSync(${JSON.stringify(started)}, '')`]);
  await expect.poll(() => existsSync(started)).toBe(true);
  noteTidied(home);
  expect(readdirSync(run())).toEqual(['tidied']);
});

test('a cleanup removes the request of a stop whose process was killed, and keeps that of a running stop', () => {
  requestStop(home, 'cmd-old');
  requestStop(home, 'cmd-young');
  const then = new Date(Date.now() - 2 * 60 * 60 * 1000);
  utimesSync(join(run(), 'stopping', 'cmd-old'), then, then);
  noteTidied(home);
  expect([isStopRequested(home, 'cmd-old'), isStopRequested(home, 'cmd-young')]).toEqual([false, true]);
});

test.each([
  ['a program that is not there', ['/no/such/program']],
  ['a word that is longer than the system takes', [process.execPath, 'x'.repeat(4_000_000)]],
  ['a word that no system takes', [process.execPath, '\0']],
] as const)('a cleanup that cannot be started fails no command: %s', async (_, [file, ...words]) => {
  doneAgo(TIDY_EVERY_MS + 1000);
  await expect(tidyByTheWay(home, [file, ...words])).resolves.toBe(undefined);
  expect(age()).toBeLessThan(TIDY_EVERY_MS);
});
