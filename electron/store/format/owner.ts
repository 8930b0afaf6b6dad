/**
 * Which process something belongs to, in a way that a later process with the same number is not mistaken for it. A number
 * counts where it was given: in one namespace of processes (a container has its own) of one system. Of a process that
 * belongs elsewhere nothing can be asked; it counts as alive until it has given no sign of life for long.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';
import { isProcessAlive, processStat } from '../processes.ts';

/** Where process numbers are given. */
const Place = z.object({
  /** Of the system that runs, from one boot to the next; of all its containers. */
  boot: z.string(),
  /** Of the namespace that the number is of. */
  pids: z.string(),
  /** Of the machine, whenever it runs; null when it has no id of its own. */
  machine: z.string().nullable(),
});
export type Place = z.infer<typeof Place>;

export const Owner = z.object({
  pid: z.number().int().positive(),
  /** When it started, in the system's own units with the boot's id (Linux); null where the system does not tell cheaply. */
  started: z.string().nullable(),
  /** Absent where the system does not tell, and in what earlier versions wrote: then it is taken for here. */
  place: Place.nullable().optional(),
});
export type Owner = z.infer<typeof Owner>;

/** A recorder gives one at least so often (recorder/streams/arrivals.ts). Milliseconds. */
export const SIGN_OF_LIFE_MS = 5 * 60 * 1000;
/**
 * Without a sign for so long, a process elsewhere has ended: it may have been stopped or asleep for a while. As far ahead
 * may its clock be; beyond that, the time of a sign says nothing about how long ago it was. Milliseconds.
 */
export const QUIET_MS = 60 * 60 * 1000;

export function thisProcess(): Owner {
  return ownerOf(process.pid);
}

/** Of a process that is there. */
export function ownerOf(pid: number): Owner {
  return { pid, started: startOf(pid), place: here() };
}

/**
 * False only when the process has ended, as far as can be told. One of another user counts as alive. `seen` says when it
 * gave its last sign of life, in milliseconds since the epoch, and is asked only of one that belongs elsewhere.
 */
export function isAlive(
  owner: Owner,
  seen: () => number = Date.now,
  quietMs = QUIET_MS,
  place = here(),
): boolean {
  if (owner.place && place && !isSamePlace(owner.place, place))
    return !isEarlierBoot(owner.place, place) && Math.abs(Date.now() - seen()) < quietMs;
  if (!isProcessAlive(owner.pid)) return false;
  const started = owner.started === null ? null : startOf(owner.pid);
  return started === null || started === owner.started;
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.boot === other.boot && one.pids === other.pids;
}

/** Of this very machine: nothing that ran then is left. */
function isEarlierBoot(one: Place, now: Place): boolean {
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

let known: Place | null | undefined;

/** Of this process; null where the system does not tell. */
export function here(): Place | null {
  if (known === undefined) known = findPlace();
  return known;
}

function findPlace(): Place | null {
  try {
    return { boot: bootId(), pids: readlinkSync('/proc/self/ns/pid'), machine: machineId() };
  } catch {
    return null;
  }
}

/** Copies of a system share its id, containers of an image have none or the same: only with the name it is one machine's. */
function machineId(): string | null {
  try {
    const id = readFileSync('/etc/machine-id', 'latin1').trim();
    // Not to be given away as it is, says machine-id(5).
    return /^[0-9a-f]{32}$/.test(id)
      ? createHash('sha256').update(`spillway ${id} ${hostname()}`).digest('hex').slice(0, 16)
      : null;
  } catch {
    return null;
  }
}
