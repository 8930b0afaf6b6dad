/** A clock that is set forward does not make captures old. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { isClockTrusted } from '../../../electron/host/lifecycle/clock-watch.ts';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { HOUR, idsBelow, storeCapture } from '../../fixtures/library/stored-captures.ts';

const DAY = 24 * HOUR;
let place: Place;

beforeEach(() => {
  place = makePlace();
  mkdirSync(join(place.home, 'run'), { mode: 0o700 });
  onTestFinished(() => place.remove());
});

const reading = (up_ms: number, clock_ms: number, boot: string | null = 'boot') => ({
  boot,
  up_ms,
  clock_ms,
});
const isTrusted = (...at: Parameters<typeof reading>) => isClockTrusted(place.home, DAY, reading(...at));

test('a clock that goes on as time passes is trusted, however long nobody looked', () => {
  expect(isTrusted(HOUR, 100 * DAY)).toBe(true);
  expect(isTrusted(31 * DAY + HOUR, 131 * DAY)).toBe(true);
});

test('one that jumped forward is not, until the retention time has passed', () => {
  isTrusted(HOUR, 100 * DAY);
  expect(isTrusted(2 * HOUR, 465 * DAY)).toBe(false);
  expect(isTrusted(25 * HOUR, 465 * DAY + 23 * HOUR)).toBe(false);
  expect(isTrusted(26 * HOUR, 465 * DAY + 24 * HOUR)).toBe(true);
});

test('one that was set back is trusted, but not when it is set right again', () => {
  isTrusted(HOUR, 100 * DAY);
  expect(isTrusted(2 * HOUR, 1 * DAY)).toBe(true);
  expect(isTrusted(3 * HOUR, 100 * DAY)).toBe(false);
});

test('after a reboot, and where the system has no boot id, it is trusted', () => {
  isTrusted(HOUR, 100 * DAY);
  expect(isTrusted(HOUR, 200 * DAY, 'next boot')).toBe(true);
  expect(isTrusted(HOUR, 300 * DAY, null)).toBe(true);
  expect(isTrusted(HOUR, 400 * DAY, null)).toBe(true);
});

test.runIf(existsSync('/proc/uptime'))(
  'the cleanup that runs by itself keeps captures after a jump',
  async () => {
    const { id } = storeCapture(place.home, { ended: Date.now() - 2 * DAY });
    const clock = join(place.home, 'run', 'clock');
    writeFileSync(clock, 'damaged');
    const young = storeCapture(place.home, { ended: Date.now() - HOUR });
    await runCli(['tidy-home'], place);
    expect(idsBelow(place.home)).toEqual([young.id]);

    storeCapture(place.home, { ended: Date.now() - 2 * DAY });
    const told = JSON.parse(readFileSync(clock, 'utf8'));
    writeFileSync(clock, JSON.stringify({ ...told, clock_ms: told.clock_ms - 3 * DAY }));
    await runCli(['tidy-home'], place);
    expect(idsBelow(place.home)).toHaveLength(2);
    expect(idsBelow(place.home)).not.toContain(id);
  },
);

test.runIf(existsSync('/proc/uptime'))('nor before the first cleanup of a home', async () => {
  await runCli(['run', '--', 'seq', '9000'], place);
  const [id] = idsBelow(place.home);
  const ahead = join(place.files, 'ahead.cjs');
  writeFileSync(ahead, `const { now } = Date; Date.now = () => now() + ${3 * DAY};`);
  await runCli(['tidy-home'], place, { env: { NODE_OPTIONS: `--require ${ahead}` } });
  expect(idsBelow(place.home)).toEqual([id]);
});
