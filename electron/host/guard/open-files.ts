/** Finds the processes that have a file open, from /proc (proc(5)): on Linux alone, and those of this user. */
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { takeTurns } from '../../store/format/walk.ts';
import { processStat } from '../../store/processes.ts';

export interface Opener {
  pid: number;
  /** Short name of its program; empty where that is not told. */
  name: string;
  group: number;
  /** It can read through one of its descriptors. */
  reads: boolean;
  writes: boolean;
  /** Its standard output or standard error is the file. */
  printsInto: boolean;
  /** The process that started it, the one that started that, and so on. */
  ancestors: readonly number[];
}

/** More processes or descriptors than this are not looked at. */
const MAX_PROCESSES = 5000;
const MAX_DESCRIPTORS = 2000;
const MAX_ANCESTORS = 64;

/** Resolves with none where the system does not tell. This process is left out. */
export async function openersOf(path: string): Promise<Opener[]> {
  const file = statOrNull(path);
  if (process.platform !== 'linux' || file === null) return [];
  const turn = takeTurns();
  const found: Opener[] = [];
  const pids = numbersIn('/proc').slice(0, MAX_PROCESSES);
  for (const pid of pids) {
    if (pid === process.pid) continue;
    const opener = openerIn(pid, file);
    if (opener) found.push(opener);
    await turn();
  }
  return found;
}

/**
 * Returns the process that prints what it reads into the file it reads, itself or through a pipe in its process group:
 * such a file grows without end. An agent that reads what its command prints is none.
 */
export function loopIn(openers: readonly Opener[]): Opener | null {
  const printers = openers.filter(({ printsInto }) => printsInto);
  const isLoop = ({ pid, group, reads }: Opener) =>
    reads &&
    printers.some((printer) => printer.pid === pid || printer.group === group) &&
    !printers.some(({ ancestors }) => ancestors.includes(pid));
  return openers.find(isLoop) ?? null;
}

function openerIn(pid: number, { dev, ino }: Stats): Opener | null {
  const isStandard = (fd: number) => fd === 1 || fd === 2;
  const may = { reads: false, writes: false, printsInto: false };
  for (const fd of numbersIn(`/proc/${pid}/fd`).slice(0, MAX_DESCRIPTORS)) {
    const stats = statOrNull(`/proc/${pid}/fd/${fd}`);
    if (stats?.ino !== ino || stats.dev !== dev) continue;
    const flags = /^flags:\s*([0-7]+)$/m.exec(textOf(`/proc/${pid}/fdinfo/${fd}`))?.[1];
    // O_RDONLY is 0, O_WRONLY 1, O_RDWR 2.
    const access = flags === undefined ? 0 : Number.parseInt(flags, 8) & 3;
    // A standard output that was opened for both is not read.
    if (access !== 1 && !isStandard(fd)) may.reads = true;
    if (access !== 0) may.writes = true;
    if (access !== 0 && isStandard(fd)) may.printsInto = true;
  }
  if (!may.reads && !may.writes) return null;
  const name = textOf(`/proc/${pid}/comm`).trim();
  return { pid, name, group: processStat(pid)?.group ?? -1, ...may, ancestors: ancestorsOf(pid) };
}

function ancestorsOf(pid: number): number[] {
  const found: number[] = [];
  for (let next = processStat(pid)?.parent ?? 0; next > 1 && found.length < MAX_ANCESTORS; ) {
    found.push(next);
    next = processStat(next)?.parent ?? 0;
  }
  return found;
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
