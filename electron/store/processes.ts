/** Asks the system about processes by their id. */
import { readFileSync } from 'node:fs';

/**
 * Returns false when no process has the id, or when it is a zombie (told on Linux only). A process of another user
 * counts as alive.
 */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return processStat(pid)?.ended !== true;
}

interface ProcessStat {
  /** True for a zombie. */
  ended: boolean;
  parent: number;
  group: number;
  /** Foreground process group of its controlling terminal; -1 without a terminal. */
  foreground: number;
  /** Start time in clock ticks since boot, as /proc writes it. */
  started: string;
}

/** Reads /proc/<pid>/stat (proc(5)). Returns null for a missing process, and on systems other than Linux. */
export function processStat(pid: number | 'self'): ProcessStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Field 2 is the name, which may hold spaces and parentheses: start after its last one, at field 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      ended: fields[0] === 'Z' || fields[0] === 'X',
      parent: Number(fields[1]),
      group: Number(fields[2]),
      foreground: Number(fields[5]),
      started: fields[19] ?? '',
    };
  } catch {
    return null;
  }
}
