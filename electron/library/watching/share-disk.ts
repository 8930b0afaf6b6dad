/**
 * Looks at files of another machine, a few paths at a time: a share that stops answering then blocks only half of
 * libuv's threads.
 */
import { type Disk, farDisk, type StatsOrError } from './look.ts';

/** Threads used at once; libuv has four. */
const PARALLEL = 2;

let under = 0;
const waiting: (() => void)[] = [];

export const shareDisk: Disk = {
  entries: (path) => inTurn(() => farDisk.entries(path)),
  async stats(paths) {
    const looks = await Promise.all(paths.map((path) => inTurn(() => farDisk.stats([path]))));
    return looks.flat() as StatsOrError[];
  },
  isReal: (path) => inTurn(() => farDisk.isReal(path)),
};

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (under < PARALLEL) under += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else under -= 1;
  }
}
