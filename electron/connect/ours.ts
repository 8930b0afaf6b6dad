/** Tells what in a client's configuration is Spillway's, of any version and home. */

import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { quoted } from '../../shared/text/escape.ts';
import {
  type Client,
  type ConfigFile,
  homeOfBashEntry,
  type Machine,
  SERVER_NAME,
  type Setting,
  type Wanted,
} from '../agents/client.ts';
import { valueAt } from '../agents/formats/format.ts';
import { readLedger } from '../agents/ledger.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { readConfig } from './config-file.ts';
import { commandLine, configuredServers, isStartedByUs } from './proxied.ts';

export function isServer({ path }: Pick<Setting, 'path'>): boolean {
  return path.at(-1) === SERVER_NAME;
}

/**
 * Returns whether `connect` wrote the entry: of any version and home, but neither another program's server nor one that
 * a person wrote for Spillway.
 */
export function isOurServer(found: unknown, setting: Pick<Setting, 'path'>): boolean {
  const words = commandLine(valueAt(found, ['transport']) ?? found);
  return isServer(setting) && words !== null && isStartedByUs(words) && words.at(-1) === 'mcp';
}

/** Returns the homes that the client's files name, in Spillway's server, behind the proxy or for its shell. */
function namedHomes(client: Client, machine: Machine, wanted: Wanted): string[] {
  const files = client.files(machine, { ...wanted, record: 'record' });
  const proxied = configuredServers(client, machine, wanted).filter(({ isProxied }) => isProxied);
  return files.flatMap((file) => {
    const root = contentOf(file);
    const own = file.settings.filter((setting) => isOurServer(valueAt(root, setting.path), setting));
    const servers = [...own, ...proxied].map(({ path }) => valueAt(root, path));
    const shells = file.settings.map(({ path }) => homeOfShell(valueAt(root, path)));
    return [...servers.map((entry) => homeOfServer(entry, machine)), ...shells].filter(
      (home) => home !== null,
    );
  });
}

/** Returns the values of a client's file; {} if it is damaged. */
export function contentOf({ format, path }: ConfigFile): unknown {
  try {
    return format.parse(readConfig(path) ?? '');
  } catch {
    return {};
  }
}

/** Returns the default home for a server of Spillway that names none; null for no server. */
function homeOfServer(entry: unknown, { env, platform }: Machine): string | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const paths = [['env'], ['environment'], ['transport', 'env']].map((path) => [...path, 'SPILLWAY_HOME']);
  const named = paths.map((path) => valueAt(entry, path)).find((value) => typeof value === 'string');
  const { SPILLWAY_HOME: _, XDG_STATE_HOME: __, ...rest } = env;
  return (named as string | undefined) ?? resolveHome(rest, platform);
}

/** Returns the home of a file that `connect --record` named as a shell or as BASH_ENV. */
function homeOfShell(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return homeOfBashEntry(value) ?? (value.endsWith('/bin/spillway-shell') ? dirname(dirname(value)) : null);
}

// Refuses to change a client that another home connected. Only that home's ledger knows what the files held before,
// so a removal from here would leave half of the connection.

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
