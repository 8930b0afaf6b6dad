/**
 * Detects that the system's clock was set forward, so that cleanup does not treat new captures as old. Compares the
 * clock with the time since boot, which also runs while the machine sleeps. `run/clock` in the home has both from the
 * last cleanup, or from before the first capture.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { ownScope } from '../../store/format/owner.ts';

const Reading = z.object({
  /** Boot id; null where the system has none. */
  boot: z.string().nullable(),
  /** Since boot. */
  up_ms: z.number(),
  /** Since the epoch. */
  clock_ms: z.number(),
  /** Until this time since boot, ages are not trusted. */
  doubted_until_ms: z.number(),
});
type Reading = z.infer<typeof Reading>;

/** Clock corrections and leap seconds are smaller. */
const JUMP_MS = 30 * 60 * 1000;

/**
 * Returns false if the clock was set forward less than `retentionMs` ago: earlier captures look older than they are.
 * After that time, each was kept as long as promised. After a reboot, trusts the clock.
 */
export function isClockTrusted(home: string, retentionMs: number, now = readNow()): boolean {
  const last = readLast(home);
  const isSameBoot = last !== null && last.boot !== null && last.boot === now.boot;
  const jump = isSameBoot ? now.clock_ms - last.clock_ms - (now.up_ms - last.up_ms) : 0;
  const before = isSameBoot ? last.doubted_until_ms : 0;
  const doubted_until_ms = jump > JUMP_MS ? now.up_ms + retentionMs : before;
  note(home, { ...now, doubted_until_ms });
  return now.up_ms >= doubted_until_ms;
}

type Now = Omit<Reading, 'doubted_until_ms'>;

function readNow(): Now {
  return { boot: ownScope()?.boot ?? null, up_ms: upMs(), clock_ms: Date.now() };
}

function upMs(): number {
  try {
    return Number.parseFloat(readFileSync('/proc/uptime', 'latin1')) * 1000;
  } catch {
    return uptime() * 1000;
  }
}

function readLast(home: string): Reading | null {
  try {
    return Reading.parse(JSON.parse(readFileSync(fileIn(home), 'utf8')));
  } catch {
    return null;
  }
}

/** Notes the clock in a home without a reading: captures made from now on have its time. */
export function watchClock(home: string): void {
  if (!existsSync(fileIn(home))) note(home, { ...readNow(), doubted_until_ms: 0 });
}

/** Does nothing in a read-only home, from which nothing can be removed. */
function note(home: string, reading: Reading): void {
  try {
    writeFileSync(fileIn(home), JSON.stringify(reading), { mode: 0o600 });
  } catch {
    // The home is read-only.
  }
}

function fileIn(home: string): string {
  return join(home, 'run', 'clock');
}
