/**
 * Identifies a process so that a later one with the same id is not mistaken for it. A process id is valid within one
 * PID namespace (each container has its own) of one boot. A process of another namespace can't be asked about: it
 * counts as alive until its files have been silent for `QUIET_MS`.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';
import { sha256 } from './sha256.ts';

/** Where a process id is valid. */
const PidScope = z.object({
  /** Boot id: the same in all containers until the next boot. */
  boot: z.string(),
  /** PID namespace. */
  pids: z.string(),
  /** Machine, the same after a reboot; null when it has no id of its own. */
  machine: z.string().nullable(),
});
export type PidScope = z.infer<typeof PidScope>;

export const Owner = z.object({
  pid: z.number().int().positive(),
  /** Boot id and start time in clock ticks (Linux); null where the system does not tell cheaply. */
  started: z.string().nullable(),
  /** Absent where the system does not tell, and in older records: then this process's scope is assumed. */
  place: PidScope.nullable().optional(),
});
export type Owner = z.infer<typeof Owner>;

/** How often a recorder touches its files even when nothing is printed (`electron/recorder/streams/open-files.ts`). */
export const SIGN_OF_LIFE_MS = 5 * 60 * 1000;
/**
 * A process of another scope that was silent for so long counts as ended. Long, because it may have been stopped or
 * asleep, and its clock may differ by as much.
 */
export const QUIET_MS = 60 * 60 * 1000;

export function thisProcess(): Owner {
  return ownerOf(process.pid);
}

/** Identifies a running process. */
export function ownerOf(pid: number): Owner {
  return { pid, started: startOf(pid), place: ownScope() };
}

/**
 * Returns false when the process has ended, as far as can be told. A process of another user counts as alive. `seen`
 * returns when it last gave a sign of life, in milliseconds since the epoch; called only for a process of another
 * scope.
 */
export function isAlive(
  owner: Owner,
  seen: () => number = Date.now,
  quietMs = QUIET_MS,
  scope = ownScope(),
): boolean {
  if (owner.place && scope && !isSameScope(owner.place, scope))
    return !isEarlierBoot(owner.place, scope) && Math.abs(Date.now() - seen()) < quietMs;
  if (!isProcessAlive(owner.pid)) return false;
  const started = owner.started === null ? null : startOf(owner.pid);
  return started === null || started === owner.started;
}

function isSameScope(one: PidScope, other: PidScope): boolean {
  return one.boot === other.boot && one.pids === other.pids;
}

/** True for an earlier boot of this machine: no process of it still runs. */
function isEarlierBoot(one: PidScope, now: PidScope): boolean {
  return one.machine !== null && one.machine === now.machine && one.boot !== now.boot;
}

function startOf(pid: number): string | null {
  const stat = processStat(pid);
  try {
    return stat && `${bootId()}/${stat.started}`;
  } catch {
    return null;
  }
}

let boot: string | null = null;

function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return boot;
}

let known: PidScope | null | undefined;

/** Returns this process's scope; null where the system does not tell. */
export function ownScope(): PidScope | null {
  if (known === undefined) known = findScope();
  return known;
}

function findScope(): PidScope | null {
  try {
    return { boot: bootId(), pids: readlinkSync('/proc/self/ns/pid'), machine: machineId() };
  } catch {
    return null;
  }
}

/** Adds the host name to the machine id: copies of a system, and containers of one image, share the id alone. */
function machineId(): string | null {
  try {
    const id = readFileSync('/etc/machine-id', 'latin1').trim();
    // machine-id(5) asks not to expose the id itself.
    return /^[0-9a-f]{32}$/.test(id) ? sha256(`spillway ${id} ${hostname()}`).slice(0, 16) : null;
  } catch {
    return null;
  }
}

// Asks the system about processes by their id.

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
