/** Recording commands start a cleanup of the home now and then, which never disturbs them. */
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
import { isStopMarked, markStop } from '../../../electron/host/recording/stop-mark.ts';
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

describe('of those that found it to be time at once', () => {
  test('one claims it; who comes with an older look puts the file back as it is', () => {
    doneAgo(TIDY_EVERY_MS + 1000);
    expect(claim(home)).toBe(true);
    doneAgo(TIDY_EVERY_MS / 2);
    const before = lstatSync(marker());
    expect(claim(home)).toBe(false);
    expect(lstatSync(marker())).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(readdirSync(run())).toEqual(['tidied']);
  });

  test('one that comes while another has the file aside claims nothing', () => {
    expect(claim(home)).toBe(false);
    expect(readdirSync(run())).toEqual([]);
  });

  test('a clock that was set back keeps it from nobody', () => {
    doneAgo(-TIDY_EVERY_MS - 60_000);
    expect(claim(home)).toBe(true);
    expect(Math.abs(age())).toBeLessThan(TIDY_EVERY_MS);
  });
});

test('one that died with the file aside delays it by one time, and what it left goes', async () => {
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

test('the mark of a stop whose process was killed goes; that of a stop under way stays', () => {
  markStop(home, 'cmd-old');
  markStop(home, 'cmd-young');
  const then = new Date(Date.now() - 2 * 60 * 60 * 1000);
  utimesSync(join(run(), 'stopping', 'cmd-old'), then, then);
  noteTidied(home);
  expect([isStopMarked(home, 'cmd-old'), isStopMarked(home, 'cmd-young')]).toEqual([false, true]);
});

test.each([
  ['a program that is not there', ['/no/such/program']],
  ['a word that is longer than the system takes', [process.execPath, 'x'.repeat(4_000_000)]],
  ['a word that no system takes', [process.execPath, '\0']],
] as const)('%s fails nobody', async (_, [file, ...words]) => {
  doneAgo(TIDY_EVERY_MS + 1000);
  await expect(tidyByTheWay(home, [file, ...words])).resolves.toBe(undefined);
  expect(age()).toBeLessThan(TIDY_EVERY_MS);
});
