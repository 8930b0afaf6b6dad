/** Tells through which descriptors a process has a file open, from /proc (proc(5)): on Linux alone. */
import { readFileSync, readlinkSync } from 'node:fs';
import { pathText } from '../reader/bytes/path-text.ts';
import { entryNames } from './format/walk.ts';

/** More descriptors of a process than this are not looked at. */
const MAX_DESCRIPTORS = 2000;

interface Descriptor {
  fd: number;
  reads: boolean;
  writes: boolean;
}

/**
 * Returns none for a process that is gone or is another user's. Compares the real path with the links in /proc: what
 * they lead to may be on a share that does not answer.
 */
export function descriptorsOn(path: string, pid: number): Descriptor[] {
  return numbersIn(`/proc/${pid}/fd`)
    .slice(0, MAX_DESCRIPTORS)
    .flatMap((fd) => {
      if (linkOf(`/proc/${pid}/fd/${fd}`) !== path) return [];
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

/** Where a link leads; null where there is none. */
function linkOf(path: string): string | null {
  try {
    return pathText(readlinkSync(path, 'buffer'));
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
