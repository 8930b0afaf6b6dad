/** Tells through which descriptors a process has a file open, from /proc (proc(5)): on Linux alone. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { entryNames } from './format/walk.ts';

/** More descriptors of a process than this are not looked at. */
const MAX_DESCRIPTORS = 2000;

interface Descriptor {
  fd: number;
  reads: boolean;
  writes: boolean;
}

/** Returns none for a process that is gone or is another user's. */
export function descriptorsOn({ dev, ino }: Pick<Stats, 'dev' | 'ino'>, pid: number): Descriptor[] {
  return numbersIn(`/proc/${pid}/fd`)
    .slice(0, MAX_DESCRIPTORS)
    .flatMap((fd) => {
      const stats = statOrNull(`/proc/${pid}/fd/${fd}`);
      if (stats?.ino !== ino || stats.dev !== dev) return [];
      const flags = /^flags:\s*([0-7]+)$/m.exec(textOf(`/proc/${pid}/fdinfo/${fd}`))?.[1];
      if (flags === undefined) return [];
      // O_RDONLY is 0, O_WRONLY 1, O_RDWR 2.
      const access = Number.parseInt(flags, 8) & 3;
      return [{ fd, reads: access !== 1, writes: access !== 0 }];
    });
}

/** Processes that the process started and that are alive. */
export function childrenOf(pid: number): number[] {
  // Each thread has children of its own.
  return numbersIn(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** Short name of the program that a process runs; empty where that is not told. */
export function programName(pid: number): string {
  return textOf(`/proc/${pid}/comm`).trim();
}

/** Names in a folder that are numbers. */
export function numbersIn(folder: string): number[] {
  return entryNames(folder).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

export function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
