/** Reads the machine's process table: each process's parent and group, and which processes have a file open. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { processStat } from '../../store/processes.ts';

export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
}

/** Returns the running processes: from /proc, else from `ps`. Empty on Windows. */
export function processes(): ProcessRow[] {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') return processesByPs();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const pid = Number(name);
      const stat = processStat(pid);
      return !stat || stat.ended ? [] : [{ pid, parent: stat.parent, group: stat.group }];
    });
}

function processesByPs(): ProcessRow[] {
  try {
    const text = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid='], { encoding: 'utf8' });
    return text
      .trim()
      .split('\n')
      .map((line) => {
        const [pid, parent, group] = line.trim().split(/\s+/).map(Number);
        return { pid: pid!, parent: parent!, group: group! };
      });
  } catch {
    return [];
  }
}

/** Returns a process's start time in the system's own units; null if it has ended or the system does not say. */
export function startOf(pid: number): string | null {
  return processStat(pid)?.started ?? null;
}

/** Returns the other processes that have one of `links` open: link targets of descriptors in /proc. */
export function holdersOf(links: readonly string[], rows: readonly ProcessRow[]): number[] {
  if (links.length === 0) return [];
  const files = new Map(links.map((link) => [link, fileOf(link)]));
  return rows.map(({ pid }) => pid).filter((pid) => pid !== process.pid && holdsOne(pid, files));
}

/** `files`: the identity of the file behind each link; null if the link itself identifies it. */
function holdsOne(pid: number, files: ReadonlyMap<string, string | null>): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((fd) => {
      const path = `${folder}/${fd}`;
      const file = files.get(linkOf(path));
      return file !== undefined && (file === null || file === fileOf(path));
    });
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Containers have terminals of the same names; device and inode distinguish them. */
function fileOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}/${ino}`;
  } catch {
    return null;
  }
}
