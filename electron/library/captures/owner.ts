/** Which process something belongs to, in a way that a later process with the same number is not mistaken for it. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';

export const Owner = z.object({
  pid: z.number().int().positive(),
  /** When it started, in the system's own units with the boot's id (Linux); null where the system does not tell cheaply. */
  started: z.string().nullable(),
});
export type Owner = z.infer<typeof Owner>;

export function thisProcess(): Owner {
  return ownerOf(process.pid);
}

/** Of a process that is there. */
export function ownerOf(pid: number): Owner {
  return { pid, started: startOf(pid) };
}

/** False only when the process is certainly gone. A process of another user counts as alive. */
export function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const started = owner.started === null ? null : startOf(owner.pid);
  return started === null || started === owner.started;
}

/** Field 22 of proc(5)'s stat, counted behind the name, which may hold anything. A zombie has ended. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    return `${bootId()}/${fields[19]}`;
  } catch {
    return null;
  }
}

let boot: string | null = null;

function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return boot;
}
