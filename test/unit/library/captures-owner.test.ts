/** Tells whether an owner's process is alive, in this PID namespace or in another. */
import { spawn } from 'node:child_process';
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ArrivalLog } from '../../../electron/recorder/streams/open-files.ts';
import {
  isAlive,
  type Owner,
  ownerOf,
  ownScope,
  QUIET_MS,
  thisProcess,
} from '../../../electron/store/format/owner.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const never = (): number => {
  throw new Error('it was asked');
};

describe('a process in this namespace', () => {
  test('is alive until it has ended, however old its last sign of life', async () => {
    const child = spawn('sleep', ['600']);
    const owner = ownerOf(child.pid!);
    expect(isAlive(owner, never)).toBe(true);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(isAlive(owner, never)).toBe(false);
  });

  test.runIf(ownScope() !== null)('is not confused with a later process of the same number', () => {
    expect(isAlive({ ...thisProcess(), started: 'some boot/1' }, never)).toBe(false);
  });

  test('is recognised by its number alone, too', () => {
    expect(isAlive({ pid: process.pid, started: null }, never)).toBe(true);
    expect(isAlive({ pid: 2 ** 30, started: null }, never)).toBe(false);
  });
});

describe.runIf(ownScope() !== null)('a process in another namespace', () => {
  const place = ownScope()!;
  const inContainer: Owner = { pid: 2 ** 30, started: 'x', place: { ...place, pids: 'pid:[1]' } };
  const onAnotherMachine: Owner = { ...inContainer, place: { boot: 'b', pids: place.pids, machine: 'm' } };
  const ofNoMachine: Owner = { ...inContainer, place: { boot: 'b', pids: place.pids, machine: null } };
  const ago = (ms: number) => () => Date.now() - ms;

  test.each([
    ['in a container', inContainer],
    ['on another machine', onAnotherMachine],
    ['on a machine without an id', ofNoMachine],
  ])('%s is alive while it gives signs of life, and gone an hour after the last', (_, owner) => {
    expect(isAlive(owner)).toBe(true);
    expect(isAlive(owner, ago(QUIET_MS / 2))).toBe(true);
    // The other machine's clock may be ahead.
    expect(isAlive(owner, ago(-QUIET_MS / 2))).toBe(true);
    expect(isAlive(owner, ago(QUIET_MS + 1000))).toBe(false);
  });

  test('is gone when its last sign of life is too far in the future for any clock', () => {
    expect(isAlive(inContainer, ago(-QUIET_MS - 60_000))).toBe(false);
    expect(isAlive(inContainer, ago(-50 * 365 * 24 * QUIET_MS))).toBe(false);
  });

  test('is not confused with a process here that has its number', () => {
    const { pid, started } = thisProcess();
    expect(isAlive({ ...inContainer, pid, started }, ago(QUIET_MS + 1000))).toBe(false);
  });

  test('counts as alive where neither side knows its machine, though the boot differs', () => {
    expect(isAlive(ofNoMachine, ago(0), QUIET_MS, { ...place, machine: null })).toBe(true);
  });

  test.runIf(place?.machine !== null)('is gone when it ran on this machine before a reboot', () => {
    const before: Owner = { ...inContainer, place: { ...place, boot: 'b' } };
    expect(isAlive(before, never)).toBe(false);
  });
});

test('a recorder gives signs of life until it ends, even if nothing arrives', () => {
  const folder = makeFolder();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const file = join(folder, 'x.times');
  const makeOld = () => utimesSync(file, 0, 0);
  const signAgo = () => Date.now() - statSync(file).mtimeMs;
  const arrivals = new ArrivalLog(folder, 'x.times', false);
  for (let round = 0; round < 3; round += 1) {
    makeOld();
    vi.advanceTimersByTime(QUIET_MS / 4);
    expect(signAgo()).toBeLessThan(QUIET_MS / 4);
  }
  expect(statSync(file).size).toBe(0);
  arrivals.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  removeFolder(folder);
});
