/** The lock around taking a socket over: whose maker has ended is broken at once, others are waited for. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from '../../../electron/host/socket/private-socket.ts';
import { ownScope, thisProcess } from '../../../electron/store/format/owner.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let root: string;
beforeEach(() => {
  root = makeFolder();
});
afterEach(() => removeFolder(root));

const lockOf = (name: string, text: string) => {
  const file = join(root, name);
  writeFileSync(file, text);
  return file;
};
const done = async () => 'done';
const DEAD = 2 ** 30;
const place = ownScope();

test.each([
  ['its number alone', `${DEAD} abc\n`],
  ['all there is to say', `${DEAD} abc ${JSON.stringify({ ...thisProcess(), pid: DEAD })}\n`],
  [
    'a number that another process has now',
    `1 abc ${JSON.stringify({ pid: 1, started: 'boot/0', place })}\n`,
  ],
])('one whose maker has ended is broken, known by %s', async (_, text) => {
  if (text.startsWith('1 ') && place === null) return;
  const file = lockOf('lock', text);
  expect(await withLock(file, done)).toBe('done');
});

test.runIf(place !== null)(
  'one that was made in another container is waited for, until it is old',
  async () => {
    const elsewhere = { ...thisProcess(), pid: DEAD, place: { ...place!, pids: 'pid:[1]' } };
    const file = lockOf('elsewhere', `${DEAD} abc ${JSON.stringify(elsewhere)}\n`);
    let entered = false;
    const waiting = withLock(file, async () => {
      entered = true;
    });
    // Begun later, and broken meanwhile in the same steps.
    for (const name of ['a', 'b', 'c']) await withLock(lockOf(name, `${DEAD} abc\n`), done);
    expect(entered).toBe(false);
    expect(readFileSync(file, 'utf8')).toContain('pid:[1]');
    utimesSync(file, 0, 0);
    await waiting;
    expect(entered).toBe(true);
  },
);
