/**
 * Whether Ctrl-Z would stop a command, were it the shell's own job. On a terminal of its own it leads the only group there, which
 * nobody could continue; so the system does not stop it, and whoever reads the keys has to.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

export const STOP_KEY = 0x1a;

/** False where the system does not tell (Linux does), and where the key is the program's own or a job's of its own. */
export function stopsByKey(pid: number, terminal: string | null): boolean {
  return terminal !== null && isForegroundOf(pid) && !caresAboutStops(pid) && hasStopKey(terminal);
}

/** Field 8 of proc(5)'s stat: the foreground group of its terminal. */
function isForegroundOf(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[5] === String(pid);
}

function caresAboutStops(pid: number): boolean {
  const status = read(`/proc/${pid}/status`);
  const bit = 1n << BigInt(constants.signals.SIGTSTP - 1);
  return ['SigIgn', 'SigCgt'].some((name) => {
    const mask = new RegExp(`^${name}:\\s*([0-9a-f]+)`, 'm').exec(status)?.[1];
    return mask !== undefined && (BigInt(`0x${mask}`) & bit) !== 0n;
  });
}

function hasStopKey(terminal: string): boolean {
  const { stdout } = spawnSync('stty', ['-F', terminal, '-a'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return /\ssusp = \^Z;/.test(stdout) && /\sisig\s/.test(stdout);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
