/** Waits until other programs leave the processors alone, so that they do not distort the measurement. */
import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds of one look. */
const LOOK_MS = 100;
/** The share of all processors that may be busy. */
const QUIET = 0.1;

/** Resolves with the busy share, 0 to 1, when the machine is quiet, or after `patience` milliseconds. */
export async function quiet(patience = 5000): Promise<number> {
  const end = performance.now() + patience;
  for (;;) {
    const before = times();
    await wait(LOOK_MS);
    const after = times();
    const busy = 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
    if (busy <= QUIET || performance.now() > end) return Math.round(busy * 100) / 100;
  }
}

function times(): { idle: number; all: number } {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { idle, all };
}
