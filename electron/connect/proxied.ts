/**
 * Finds the MCP servers that a client has configured, and puts one behind `spillway proxy` or takes it out again. Only
 * the command, its arguments and SPILLWAY_HOME change; the rest of a server's entry stays.
 */

import { isAbsolute } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { nearest } from '../../shared/text/nearest.ts';
import type { Client, ConfigFile, Machine, Setting, Wanted } from '../agents/client.ts';
import { SERVER_NAME } from '../agents/client.ts';
import { type Format, type Path, valueAt } from '../agents/formats/format.ts';
import { NO_DEBUGGER } from '../host/no-debugger.ts';
import { readConfig } from './config-file.ts';

export interface ConfiguredServer {
  name: string;
  /** Path of its entry. */
  path: Path;
  /** Its command line, without the proxy; null for a server that is reached by other means than stdio. */
  words: string[] | null;
  isProxied: boolean;
}

/** Returns a client's servers by name, without Spillway's own. Skips files that can't be read. */
export function configuredServers(client: Client, machine: Machine, wanted: Wanted): ConfiguredServer[] {
  return client.files(machine, wanted).flatMap((file) => {
    try {
      return serversIn(file, file.format.parse(readConfig(file.path) ?? ''));
    } catch {
      return [];
    }
  });
}

/** Throws `usage`, with the names there are, unless the client has a server of this name that the proxy can start. */
export function checkProxiable(client: Client, name: string, servers: readonly ConfiguredServer[]): void {
  const found = servers.filter((server) => server.name === name);
  if (found.some(({ words }) => words !== null)) return;
  if (found.length > 0)
    throw new SpillwayError(
      'usage',
      `${name} in ${client.name} is not started as a command`,
      'the proxy works only with servers on stdin and stdout',
    );
  const names = [...new Set(servers.flatMap((server) => (server.words === null ? [] : server.name)))];
  const [near] = nearest(name, names, 1);
  throw new SpillwayError(
    'usage',
    name === SERVER_NAME
      ? `the server \`${SERVER_NAME}\` is Spillway, which needs no proxy`
      : `${client.name} has no server ${JSON.stringify(name)}`,
    names.length === 0
      ? 'it has no servers on stdin and stdout'
      : `${near === undefined ? '' : `did you mean ${near}? `}Its servers are ${names.join(', ')}`,
  );
}

/**
 * Returns the settings that put the wanted servers behind the proxy. `root`: the file's content without servers behind
 * it.
 */
export function proxySettings(file: ConfigFile, root: unknown, wanted: Wanted): Setting[] {
  return serversIn(file, root).flatMap(({ name, path, words }) => {
    if (words === null || !wanted.proxied.includes(name)) return [];
    const entry = entryPath(file, root, path);
    const [command, ...args] = [...wanted.proxy, ...words];
    const env = Object.entries(wanted.env).map(([key, value]) => ({
      path: [...entry, envKey(file), key],
      value,
    }));
    return file.servers!.form === 'list'
      ? [{ path: [...entry, 'command'], value: [command, ...args] }, ...env]
      : [{ path: [...entry, 'command'], value: command }, { path: [...entry, 'args'], value: args }, ...env];
  });
}

/** Returns the text with every server taken out of the proxy that `connect` put there. */
export function unwrapped(file: ConfigFile, text: string): string {
  const { format } = file;
  const root = format.parse(text);
  return serversIn(file, root).reduce((rest, { path, words, isProxied }) => {
    if (!isProxied || words === null) return rest;
    const entry = entryPath(file, root, path);
    const [command, ...args] = words;
    const bare = without(format, rest, [...entry, envKey(file)], 'SPILLWAY_HOME');
    if (file.servers!.form === 'list') return format.set(bare, [...entry, 'command'], words);
    const started = format.set(bare, [...entry, 'command'], command);
    return args.length === 0
      ? format.remove(started, [...entry, 'args'])
      : format.set(started, [...entry, 'args'], args);
  }, text);
}

/** Removes a key of the object at the path, and the object once it is empty. */
function without(format: Format, text: string, path: Path, key: string): string {
  const rest = format.remove(text, [...path, key]);
  const left = valueAt(format.parse(rest), path);
  return typeof left === 'object' && left !== null && Object.keys(left).length === 0
    ? format.remove(rest, path)
    : rest;
}

function serversIn(file: ConfigFile, root: unknown): ConfiguredServer[] {
  return (file.servers?.at(root) ?? []).flatMap((table) =>
    Object.keys(Object(valueAt(root, table))).flatMap((name) => {
      const path = [...table, name];
      const all = commandLine(valueAt(root, entryPath(file, root, path)));
      const behind = all && behindProxy(all);
      return name === SERVER_NAME ? [] : { name, path, words: behind ?? all, isProxied: behind !== null };
    }),
  );
}

/** Returns the words that start a server; null for one that is reached by other means than stdio. */
export function commandLine(entry: unknown): string[] | null {
  const { command, args = [] } = Object(entry) as Record<string, unknown>;
  const words = Array.isArray(command) ? command : [command, ...(Array.isArray(args) ? args : [null])];
  return words.length > 0 && words.every((word) => typeof word === 'string') ? words : null;
}

/** A person's own entry names the command `spillway`, ours a program and Spillway's file, by their whole paths. */
export function isStartedByUs([program, ...words]: readonly string[]): boolean {
  const [entry = ''] = withoutOptions(words);
  return [program ?? '', entry].every(isAbsolute) && /[\\/](?:spillway|cli\.js)$/.test(entry);
}

const withoutOptions = (words: readonly string[]) => (words[0] === NO_DEBUGGER[0] ? words.slice(1) : words);

/** Returns the server's own words; null unless `connect` wrote the proxy before them. */
function behindProxy(all: readonly string[]): string[] | null {
  const [, command, ...rest] = withoutOptions(all.slice(1));
  const end = rest.indexOf('--');
  const isOurs = command === 'proxy' && end >= 0 && isStartedByUs(all);
  return isOurs && rest.length > end + 1 ? rest.slice(end + 1) : null;
}

function entryPath({ servers }: ConfigFile, root: unknown, path: Path): Path {
  const inner = [...path, 'transport'];
  return servers?.form === 'transport' && valueAt(root, inner) !== undefined ? inner : path;
}

function envKey({ servers }: ConfigFile): string {
  return servers?.form === 'list' ? 'environment' : 'env';
}
