/** Finds this user's processes that have a file open, from /proc (proc(5)). Linux only. */
import { descriptorsOn, numbersIn, programName } from './open-descriptors.ts';
import { processStat } from './processes.ts';

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
