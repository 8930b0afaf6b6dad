/** What time it is, in a way that never goes back: the wall clock once, then a monotonic one. */

/** Milliseconds since the epoch, with fractions; never falls. */
export type Clock = () => number;

/** `wall` and `monotonic` are in milliseconds; a clock that is set back or forward later changes nothing. */
export function startClock(wall: Clock = Date.now, monotonic: Clock = machineClock): Clock {
  const start = wall() - monotonic();
  return () => start + monotonic();
}

/** Milliseconds of the monotonic clock that all processes of the machine share, since some moment. */
export function machineClock(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
