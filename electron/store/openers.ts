/** Finds this user's processes that have a file open, from /proc (proc(5)). Linux only. */

import { readFileSync, readlinkSync } from 'node:fs';
import { pathText } from '../reader/bytes/path-text.ts';
import { processStat } from './format/owner.ts';
import { entryNames } from './format/places.ts';

export interface Opener {
  pid: number;
  /** Short name of its program; empty if unknown. */
  name: string;
  group: number;
  /** Whether it can read the file through a descriptor. */
  reads: boolean;
  writes: boolean;
  /** Whether its stdout or stderr is the file. */
  printsInto: boolean;
  /** Its parent, grandparent, and so on. */
  ancestors: readonly number[];
}

/** Most processes to look at. */
const MAX_PROCESSES = 5000;
const MAX_ANCESTORS = 64;

/** Returns none if the system does not say. Leaves out this process. `path`: a real path. */
export function openersOf(path: string): Opener[] {
  if (process.platform !== 'linux') return [];
  return numbersIn('/proc')
    .slice(0, MAX_PROCESSES)
    .flatMap((pid) => (pid === process.pid ? [] : (openerIn(pid, path) ?? [])));
}

/**
 * Returns the process that prints the file it reads into the same file, itself or through a pipe in its process group,
 * so that it grows without end. An agent that reads its command's output is not one.
 */
export function loopIn(openers: readonly Opener[]): Opener | null {
  const printers = openers.filter(({ printsInto }) => printsInto);
  const isLoop = ({ pid, group, reads }: Opener) =>
    reads &&
    printers.some((printer) => printer.pid === pid || printer.group === group) &&
    !printers.some(({ ancestors }) => ancestors.includes(pid));
  return openers.find(isLoop) ?? null;
}

function openerIn(pid: number, path: string): Opener | null {
  const isStandard = ({ fd }: { fd: number }) => fd === 1 || fd === 2;
  const open = descriptorsOn(path, pid);
  const writers = open.filter(({ writes }) => writes);
  // A stdout opened for reading and writing does not count as reading.
  const reads = open.some((one) => one.reads && !isStandard(one));
  if (!reads && writers.length === 0) return null;
  return {
    pid,
    name: programName(pid),
    group: processStat(pid)?.group ?? -1,
    reads,
    writes: writers.length > 0,
    printsInto: writers.some(isStandard),
    ancestors: ancestorsOf(pid),
  };
}

function ancestorsOf(pid: number): number[] {
  const found: number[] = [];
  for (let next = processStat(pid)?.parent ?? 0; next > 1 && found.length < MAX_ANCESTORS; ) {
    found.push(next);
    next = processStat(next)?.parent ?? 0;
  }
  return found;
}

// Tells through which descriptors a process has a file open, from /proc (proc(5)): on Linux alone.

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
function numbersIn(folder: string): number[] {
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
