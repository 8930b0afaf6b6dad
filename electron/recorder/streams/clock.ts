/** A clock that never goes back: it follows the monotonic clock, and the wall clock when that jumps ahead. */

/** Milliseconds since the epoch, with fractions; never falls. */
export type Clock = () => number;

/** With the monotonic clock, for durations: no jump of the wall clock makes them longer. */
export type RecordingClock = Clock & { readonly monotonic: Clock };

/** If the wall clock is further ahead, it was set forward, or the machine slept and the monotonic clock stood still. */
const AHEAD_MS = 1000;

/**
 * `wall` and `monotonic` are in milliseconds. A wall clock set back changes nothing. One that goes ahead by more than a
 * second is followed: else everything a laptop records after a night would carry the evening's time.
 * @param start the current time
 */
export function startClock(
  wall: Clock = wallClock,
  monotonic: Clock = machineClock,
  start: number = wall(),
): RecordingClock {
  let offset = start - monotonic();
  const clock = () => {
    const now = monotonic();
    const ahead = wall() - (now + offset);
    if (ahead > AHEAD_MS) offset += ahead;
    return now + offset;
  };
  return Object.assign(clock, { monotonic });
}

/**
 * Milliseconds since the epoch, with fractions: without them, a line could seem to arrive before its program read the
 * clock. Doesn't use `performance`, which takes 3 ms to load.
 */
export function wallClock(): number {
  const whole = Date.now();
  const now = machineClock();
  sinceEpoch ??= whole - now;
  const precise = now + sinceEpoch;
  return Math.min(Math.max(precise, whole), whole + 0.999);
}

/** The wall clock minus the monotonic clock, to a millisecond. */
let sinceEpoch: number | null = null;

/** Milliseconds of the monotonic clock that all processes of the machine share, since an arbitrary moment. */
export function machineClock(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
