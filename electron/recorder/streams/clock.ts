/** What time it is, in a way that never goes back: the wall clock once, then a monotonic one, but where the first leaps ahead. */

/** Milliseconds since the epoch, with fractions; never falls. */
export type Clock = () => number;

/** What time it is; with the clock that durations are taken from, which no jump of the other makes longer. */
export type RecordingClock = Clock & { readonly monotonic: Clock };

/** A wall clock that is so much ahead was set forward, or the machine slept, in which the monotonic one stands still. */
const AHEAD = 1000;

/**
 * `wall` and `monotonic` are in milliseconds. A wall clock that is set back changes nothing; one that goes ahead by more
 * than a second is followed, or all that a laptop records after a night would be said to be of the evening.
 * @param start what time it is now
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
    if (ahead > AHEAD) offset += ahead;
    return now + offset;
  };
  return Object.assign(clock, { monotonic });
}

/**
 * Milliseconds since the epoch. `Date.now()` leaves fractions out, by which a line would seem to come before the program that
 * printed it looked at its clock.
 */
export function wallClock(): number {
  const whole = Date.now();
  const precise = performance.timeOrigin + performance.now();
  return Math.min(Math.max(precise, whole), whole + 0.999);
}

/** Milliseconds of the monotonic clock that all processes of the machine share, since some moment. */
export function machineClock(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
