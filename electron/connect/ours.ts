/** Tells what in a client's configuration is Spillway's, of any version and home. */
import { dirname } from 'node:path';
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
export function namedHomes(client: Client, machine: Machine, wanted: Wanted): string[] {
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
