/**
 * Refuses to change a client that another home connected. Only that home's ledger knows what the files held before,
 * so a removal from here would leave half of the connection.
 */
import { realpathSync } from 'node:fs';
import { SpillwayError } from '../../shared/errors.ts';
import { quoted } from '../../shared/text/shell-words.ts';
import type { Client, ConfigFile, Machine, Wanted } from '../agents/client.ts';
import { readLedger } from './ledger.ts';
import { namedHomes } from './ours.ts';

/**
 * Throws `usage`, with the command that removes the connection, when the client's files name another home that still
 * has a ledger for this client. A home that is gone cannot remove anything, so its settings are taken over.
 */
export function checkOwnHome(client: Client, machine: Machine, wanted: Wanted): void {
  const other = otherHomeOf(client, machine, wanted);
  if (other === null) return;
  throw new SpillwayError(
    'usage',
    `${client.name} is connected to another home of Spillway, ${other}; nothing was changed`,
    `to remove it there: SPILLWAY_HOME=${quoted(other)} spillway connect ${client.id} --remove`,
  );
}

/** Returns another home that the client is connected to; null if there is none. */
export function otherHomeOf(client: Client, machine: Machine, wanted: Wanted): string | null {
  return others(client, machine, wanted).find((home) => readLedger(home, client.id) !== null) ?? null;
}

/** Returns what Spillway wrote to the client's files from homes that are gone, or have forgotten it. */
export function filesOfLostHomes(client: Client, machine: Machine, wanted: Wanted): ConfigFile[] {
  return others(client, machine, wanted)
    .filter((home) => readLedger(home, client.id) === null)
    .flatMap((home) => client.files(machine, { ...wanted, home, record: 'record' }));
}

function others(client: Client, machine: Machine, wanted: Wanted): string[] {
  return [...new Set(namedHomes(client, machine, wanted))].filter((home) => !isSame(home, wanted.home));
}

function isSame(one: string, other: string): boolean {
  return realPath(one) === realPath(other);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
