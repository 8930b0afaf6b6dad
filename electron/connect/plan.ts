/** Plans what connecting or disconnecting a client changes: each file's text before and after. Writes nothing. */
import { isAbsolute, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SpillwayError } from '../../shared/errors.ts';
import {
  type Client,
  type ConfigFile,
  homeOfBashEntry,
  type Machine,
  SERVER_NAME,
  type Setting,
  type Wanted,
} from '../agents/client.ts';
import { type Format, Unparsable, valueAt } from '../agents/formats/format.ts';
import { fingerprint, type Ledger, type LedgerFile } from '../agents/ledger.ts';
import { isLink, readConfig } from './config-file.ts';
import { contentOf, filesOfLostHomes, isOurServer, isServer } from './ours.ts';
import { proxySettings, unwrapped } from './proxied.ts';

interface FileChange {
  path: string;
  /** Text of the file; null if it does not exist. */
  before: string | null;
  after: string | null;
}

export interface Plan {
  changes: FileChange[];
  /** The ledger to store after the changes; null if none of Spillway's changes remains. */
  ledger: Ledger | null;
}

/**
 * Throws `usage` for a file that its client itself could not read, or whose values must not be replaced. `mayReplace`: a
 * server of the user's that has the name of Spillway's may be replaced, because they see it before.
 */
export function planConnect(
  client: Client,
  machine: Machine,
  wanted: Wanted,
  ledger: Ledger | null,
  { mayReplace = false } = {},
): Plan {
  const lost = filesOfLostHomes(client, machine, wanted);
  const files = client.files(machine, wanted).map((whole) => {
    const file = wanted.serves
      ? whole
      : { ...whole, settings: whole.settings.filter((setting) => !isServer(setting)) };
    const text = readConfig(file.path);
    const known = ledger?.files.find((one) => one.path === file.path) ?? null;
    const original = text === null ? null : without(file, client, text, known, lost);
    if (!mayReplace && known === null) checkServerName(file, client, original);
    const settings = [
      ...file.settings,
      ...(original === null ? [] : proxySettings(file, parsed(file, client, original), wanted)),
    ];
    const after = applied({ ...file, settings }, client, original, text);
    return { change: { path: file.path, before: text, after }, kept: keptOf(file, original, after) };
  });
  const kept = files.flatMap((file) => file.kept ?? []);
  return {
    changes: files.map(({ change }) => change).filter(({ before, after }) => before !== after),
    ledger:
      wanted.serves || kept.length > 0
        ? { ...{ version: 1, client: client.id, record: wanted.record }, files: kept }
        : null,
  };
}

/** Returns whether the client was given Spillway's own server, and not only the proxy. */
export function hasServer(ledger: Ledger | null): boolean {
  return ledger?.files.some(({ settings }) => settings.some(isServer)) ?? false;
}

/** Without a ledger, removes what Spillway would write for `wanted`. */
export function planRemove(client: Client, machine: Machine, wanted: Wanted, ledger: Ledger | null): Plan {
  const lost = filesOfLostHomes(client, machine, wanted);
  const changes = client.files(machine, { ...wanted, record: 'record' }).map((file) => {
    const before = readConfig(file.path);
    const known = ledger?.files.find((one) => one.path === file.path) ?? null;
    return {
      path: file.path,
      before,
      after: before === null ? null : without(file, client, before, known, lost),
    };
  });
  return { changes: changes.filter(({ before, after }) => before !== after), ledger: null };
}

/** Returns whether the file has a setting that an earlier version of Spillway wrote, and this one does not. */
export function hasFormer(file: ConfigFile, ledger: Ledger | null): boolean {
  const known = ledger?.files.find(({ path }) => path === file.path) ?? null;
  return formerSettings(file.settings, contentOf(file), known).length > 0;
}

/**
 * Returns the folders in the client's lists through which its sandboxed commands may write to all of Spillway's home. Who
 * listed them does not matter.
 */
export function rootsOverHome(file: ConfigFile): string[] {
  const root = contentOf(file);
  return file.settings.flatMap(({ path, former }) => {
    const items = former === undefined ? [] : valueAt(root, path);
    if (former === undefined || !Array.isArray(items)) return [];
    return items.filter((item): item is string => typeof item === 'string' && isOver(item, former));
  });
}

function isOver(folder: string, path: string): boolean {
  const way = relative(resolve(folder), path);
  return !way.startsWith('..') && !isAbsolute(way);
}

/** Returns whether every setting has the value that Spillway would write. */
export function isConnected({ format, path, settings }: ConfigFile): boolean {
  try {
    const root = format.parse(readConfig(path) ?? '');
    return settings.every((setting) => isThere(root, setting));
  } catch {
    return false;
  }
}

/** Returns whether the settings that lead the client's shell to the recorder are there. */
export function isRecorded(file: ConfigFile): boolean {
  const settings = file.settings.filter((setting) => !isServer(setting));
  return settings.length === 0 || isConnected({ ...file, settings });
}

/** Throws `usage` for a server of another program that has the name of Spillway's. */
function checkServerName(file: ConfigFile, client: Client, text: string | null): void {
  const root = text === null ? {} : parsed(file, client, text);
  for (const setting of file.settings.filter(isServer)) {
    const found = valueAt(root, setting.path);
    if (found === undefined || isOurServer(found, setting)) continue;
    throw new SpillwayError(
      'usage',
      `${file.path} has another server with the name ${SERVER_NAME}; nothing was changed`,
      'remove it there or give it another name, or agree in the window to have it replaced',
    );
  }
}

/**
 * Returns the text without Spillway's changes; null if Spillway created the file. `lost`: files as homes that are gone
 * wrote them.
 */
function without(
  file: ConfigFile,
  client: Client,
  text: string,
  known: LedgerFile | null,
  lost: readonly ConfigFile[],
): string | null {
  if (known?.written === fingerprint(text))
    return known.original === null ? null : Buffer.from(known.original, 'base64').toString();
  const root = parsed(file, client, text);
  const former = lost.filter(({ path }) => path === file.path).flatMap(({ settings }) => settings);
  const settings = known?.settings ?? ownSettings([...file.settings, ...former], root);
  const rest = settings.reduce((left, setting) => undone(file.format, left, setting), text);
  // Whether there was a file before is not known then: an empty one says no more than none.
  const isEmpty = /^\s*(?:\{\s*\}\s*)?$/.test(rest);
  if (known === null && rest !== text && isEmpty && !isLink(file.path)) return null;
  return unwrapped(file, rest);
}

/** Returns settings that Spillway wrote without leaving a ledger here, such as from another home. */
function ownSettings(settings: readonly Setting[], root: unknown): LedgerFile['settings'] {
  const present = settings.filter((setting) => isOurs(valueAt(root, setting.path), setting));
  return [...present, ...formerSettings(settings, root, null)].map(({ path, value, isItem = false }) => ({
    path: [...path],
    value: isItem ? value : valueAt(root, path),
    isItem,
  }));
}

/**
 * Returns the settings that an earlier version wrote, and no person. Without a ledger, such a setting counts as ours if
 * an entry of ours is beside it.
 */
function formerSettings(settings: readonly Setting[], root: unknown, known: LedgerFile | null): Setting[] {
  const isBeside = settings.some(
    (setting) => setting.path.at(-1) === 'BASH_ENV' && isOurs(valueAt(root, setting.path), setting),
  );
  return settings.flatMap((setting) => {
    const { path, former } = setting;
    if (former === undefined || !includes(valueAt(root, path), former)) return [];
    const isWritten = known?.settings.some(
      (one) => one.value === former && isDeepStrictEqual(one.path, path),
    );
    return (isWritten ?? isBeside) ? [{ ...setting, value: former }] : [];
  });
}

function isOurs(found: unknown, { path, value, isItem }: Setting): boolean {
  if (isServer({ path })) return isOurServer(found, { path });
  if (path.at(-1) === 'BASH_ENV') return homeOfBashEntry(found) !== null;
  return isItem ? includes(found, value) : isDeepStrictEqual(found, value);
}

function includes(list: unknown, value: unknown): boolean {
  return Array.isArray(list) && list.includes(value);
}

function undone(
  format: Format,
  text: string,
  { path, value, before, isItem }: LedgerFile['settings'][number],
): string {
  const root = format.parse(text);
  const found = valueAt(root, path);
  if (isItem) {
    if (before === undefined && isDeepStrictEqual(found, [value]))
      return pruned(format, format.remove(text, path), path);
    return format.withdraw(text, path, String(value));
  }
  if (found === undefined) return text;
  // Somebody changed it since, so it belongs to the user now.
  if (!isServer({ path }) && !isDeepStrictEqual(found, value)) return text;
  return before === undefined
    ? pruned(format, format.remove(text, path), path)
    : format.set(text, path, before);
}

/** Removes the objects above the path that have become empty. */
function pruned(format: Format, text: string, path: readonly string[]): string {
  const above = path.slice(0, -1);
  const found = above.length > 0 ? valueAt(format.parse(text), above) : undefined;
  const isEmpty = typeof found === 'object' && found !== null && Object.keys(found).length === 0;
  return isEmpty ? pruned(format, format.remove(text, above), above) : text;
}

function applied(
  file: ConfigFile,
  client: Client,
  original: string | null,
  shown: string | null,
): string | null {
  if (file.settings.length === 0) return original;
  const { format, path, settings } = file;
  const before = parsed(file, client, original ?? shown ?? '');
  checkContainers(file, client, before);
  const text = settings.reduce((rest, setting) => {
    const found = valueAt(format.parse(rest), setting.path);
    if (isThere(format.parse(rest), setting)) return rest;
    if (setting.keeps !== undefined && found !== undefined)
      throw new SpillwayError(
        'usage',
        `${path} sets ${setting.path.join('.')} to ${JSON.stringify(found)}, ${setting.keeps}`,
        `connect ${client.id} without --record, or remove it there first`,
      );
    return setting.isItem
      ? format.append(rest, setting.path, String(setting.value))
      : format.set(rest, setting.path, setting.value);
  }, original ?? '');
  verify(file, before, text);
  return text;
}

/**
 * Checks that the new text holds our settings and otherwise what the old text held. Throws `usage` if not; nothing
 * has been written then.
 */
function verify({ format, path, settings }: ConfigFile, before: unknown, text: string): void {
  const after = format.parse(text);
  const isWhole = settings.every((setting) => isThere(after, setting));
  const rest = (root: unknown) => settings.reduce((value, { path }) => cut(value, path), root);
  if (isWhole && isDeepStrictEqual(rest(after), rest(before))) return;
  throw new SpillwayError(
    'usage',
    `${path} is written in a way that cannot be changed safely`,
    'see what to add with --print on an empty configuration, and add it by hand',
  );
}

/** Returns a copy without the value at the path and the objects that this makes empty. */
function cut(root: unknown, [key, ...rest]: readonly string[]): unknown {
  if (typeof root !== 'object' || root === null || key === undefined || !Object.hasOwn(root, key))
    return root;
  const { [key]: value, ...others } = root as Record<string, unknown>;
  const left = rest.length === 0 ? undefined : cut(value, rest);
  const isEmpty =
    left === undefined || (typeof left === 'object' && left !== null && Object.keys(left).length === 0);
  return isEmpty ? others : { ...others, [key]: left };
}

function isThere(root: unknown, { path, value, isItem }: Setting): boolean {
  const found = valueAt(root, path);
  return isItem ? includes(found, value) : isDeepStrictEqual(found, value);
}

function keptOf(file: ConfigFile, original: string | null, after: string | null): LedgerFile | null {
  if (after === null || (file.settings.length === 0 && after === original)) return null;
  const root = file.format.parse(original ?? '');
  return {
    path: file.path,
    original: original === null ? null : Buffer.from(original).toString('base64'),
    written: fingerprint(after),
    settings: file.settings.map(({ path, value, isItem = false }) => {
      const before = valueAt(root, path);
      return { path: [...path], value, isItem, ...(before === undefined ? {} : { before }) };
    }),
  };
}

function parsed({ format, path }: ConfigFile, client: Client, text: string): Record<string, unknown> {
  try {
    return format.parse(text);
  } catch (error) {
    if (!(error instanceof Unparsable)) throw error;
    throw new SpillwayError(
      'usage',
      `${path} cannot be read: line ${error.line} has ${error.what}`,
      `correct it (${client.name} cannot read it either), then connect again; nothing was changed`,
    );
  }
}

/**
 * Refuses a configuration file that has another kind of value where an object or a list belongs. Throws `usage`, which
 * names the file and the key. `root`: the file's content before any change.
 */
function checkContainers({ path: file, settings }: ConfigFile, client: Client, root: unknown): void {
  for (const { path, isItem } of settings) {
    const objects = path.slice(1).map((_, index) => path.slice(0, index + 1));
    for (const container of objects) check(file, client, { root, path: container, wanted: 'an object' });
    if (isItem) check(file, client, { root, path, wanted: 'a list' });
  }
}

function check(
  file: string,
  client: Client,
  { root, path, wanted }: { root: unknown; path: readonly string[]; wanted: 'an object' | 'a list' },
): void {
  const found = valueAt(root, path);
  const kind = kindOf(found);
  if (found === undefined || kind === wanted) return;
  throw new SpillwayError(
    'usage',
    `${file} has ${kind} as ${path.join('.')}, where ${wanted} belongs`,
    `correct it, then connect ${client.id} again; nothing was changed`,
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
