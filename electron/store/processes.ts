/** Processes, as the system tells of them by their number. */
import { readFileSync } from 'node:fs';

/**
 * False when there is no such process, or it has ended and only its parent has not asked yet how (where the system tells that:
 * Linux). One of another user is there.
 */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return processStat(pid)?.ended !== true;
}

export interface ProcessStat {
  /** A zombie has. */
  ended: boolean;
  parent: number;
  group: number;
  /** That has the terminal which controls it; -1 without one. */
  foreground: number;
  /** In the system's ticks since it was booted, as it is written there. */
  started: string;
}

/** What proc(5) calls stat; null when there is no such process, and where the system has none (all but Linux). */
export function processStat(pid: number | 'self'): ProcessStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the name, which may hold anything: these begin with the third.
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
