/** Makes, changes and ends sessions, and reads their records. */
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Session, UseSessionParams } from '../../../shared/lifecycle.ts';
import { usualSecrets } from '../../../shared/secrets/mask.ts';
import { nearest, theNearest } from '../../../shared/text/nearest.ts';
import { type HeldFolder, inFolder } from '../format/folder.ts';
import { DEFAULT_SESSION, SESSION_RECORD, sessionFolder } from '../format/names.ts';
import { isAlive, type Owner, thisProcess } from '../format/owner.ts';
import { lstatOrNull, sessionPaths } from '../format/places.ts';
import { newSession, openSessionFolder, parseSession, type SessionRecord } from '../format/session.ts';
import { readOwn, replaceFile } from '../format/small-file.ts';

/** Values of the variables that this process set, by the session's folder. */
const variables = new Map<string, Readonly<Record<string, string>>>();

/** Returns the variables of a session's commands, without secrets that another process set. */
export function sessionVariables(
  home: string,
  { name, env, env_names }: SessionRecord,
): Record<string, string> {
  const known = Object.entries(variables.get(sessionFolder(home, name)) ?? {});
  return { ...env, ...Object.fromEntries(known.filter(([one]) => env_names.includes(one) && !(one in env))) };
}

/** Returns the variables that `env` would print without a mask. */
function withoutSecrets(env: Readonly<Record<string, string>>): Record<string, string> {
  const isOpen = ([name, value]: [string, string]) =>
    usualSecrets.mask(`HOME=/\n${name}=${value}\n`).count === 0;
  return Object.fromEntries(Object.entries(env).filter(isOpen));
}

/** Returns null when there is no such session, or its record can't be read. */
export function readSession(home: string, name: string): SessionRecord | null {
  const text = readOwn(join(sessionFolder(home, name), SESSION_RECORD));
  const parsed = text === null ? null : parseSession(text);
  return parsed?.ok && parsed.session.name === name ? parsed.session : null;
}

/**
 * Makes the session, or changes its defaults and reopens it when it had ended. When two processes do so at once, the
 * later write wins as a whole. Throws `usage` for invalid values, `no_permission` when the session can't be written.
 */
export function useSession(
  home: string,
  { session: name, cwd, env, ephemeral }: UseSessionParams,
  owner: Owner = thisProcess(),
): SessionRecord {
  if (ephemeral === true && name === DEFAULT_SESSION) {
    throw new SpillwayError(
      'usage',
      `the session ${DEFAULT_SESSION} is shared and cannot be ephemeral`,
      'give the session another name',
    );
  }
  const folderForCommands = typeof cwd === 'string' ? checkedCwd(cwd) : cwd;
  if (env !== undefined) checkEnv(env);
  try {
    const folder = openSessionFolder(home, name, new Date());
    const known = knownSession(join(folder, SESSION_RECORD));
    const changes = {
      ...(folderForCommands === undefined ? {} : { cwd: folderForCommands }),
      ...(env === undefined ? {} : { env: withoutSecrets(env), env_names: Object.keys(env).sort() }),
      ...(ephemeral === undefined ? {} : ownedBy(ephemeral, known, owner)),
    };
    const base = known ?? newSession(name, new Date());
    const wanted: SessionRecord = { ...base, ...changes, ended_at: null };
    if (JSON.stringify(wanted) !== JSON.stringify(known)) {
      inFolder(folder, (held) => replaceFile(held.at(SESSION_RECORD), JSON.stringify(wanted)));
    }
    if (env !== undefined) variables.set(folder, env);
    return wanted;
  } catch (error) {
    if (error instanceof SpillwayError) throw error;
    throw cannotBeWritten(name, error);
  }
}

/**
 * Reports a bad directory now, not at each command. Made absolute, as other processes have other working directories.
 */
function checkedCwd(cwd: string): string {
  const path = resolve(cwd);
  if (isDirectory(path)) return path;
  throw new SpillwayError(
    'usage',
    `\`cwd\` is not a directory: ${JSON.stringify(cwd.slice(0, 200))}`,
    'give the absolute path of an existing directory',
  );
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function checkEnv(env: Readonly<Record<string, string>>): void {
  const bad = Object.entries(env).find(
    ([name, value]) => name === '' || /[=\0]/.test(name) || value.includes('\0'),
  );
  if (bad === undefined) return;
  throw new SpillwayError(
    'usage',
    `\`env\` has an invalid entry: ${JSON.stringify(bad[0].slice(0, 200))}`,
    'use names that are not empty and contain no "=", and no NUL anywhere',
  );
}

/**
 * Marks the session as ended, and forgets its variables. Returns null when there is none. Throws `no_permission` when it
 * can't be written.
 */
export function markEnded(home: string, name: string, now: Date): SessionRecord | null {
  const known = readSession(home, name);
  if (known === null) return null;
  const ended = { ...known, ended_at: known.ended_at ?? now.toISOString(), env: {}, env_names: [] };
  variables.delete(sessionFolder(home, name));
  try {
    inFolder(sessionFolder(home, name), (folder) =>
      replaceFile(folder.at(SESSION_RECORD), JSON.stringify(ended)),
    );
    return ended;
  } catch (error) {
    throw cannotBeWritten(name, error);
  }
}

/**
 * Restores the record of a session that was used again while its folder was being removed, unless it is back already.
 */
export function putBackSession(folder: HeldFolder, record: SessionRecord): void {
  try {
    if (lstatOrNull(folder.at(SESSION_RECORD)) === null)
      replaceFile(folder.at(SESSION_RECORD), JSON.stringify(record));
  } catch {
    // Each capture names its session too.
  }
}

/** Returns the names of all sessions whose record can be read, unsorted. */
function sessionNames(home: string): string[] {
  return sessionPaths(home).flatMap((folder) => {
    const text = readOwn(join(folder, SESSION_RECORD));
    const parsed = text === null ? null : parseSession(text);
    return parsed?.ok ? [parsed.session.name] : [];
  });
}

/** Returns a sentence that offers the nearest names. */
export function noSuchSession(home: string, name: string): string {
  return `there is no session ${JSON.stringify(name)}: ${offerSessions(name, sessionNames(home))}`;
}

/** Most names that a sentence offers. */
const OFFERED = 3;

function offerSessions(name: string, names: readonly string[]): string {
  const near = nearest(name, names, OFFERED);
  if (near.length > 0) return theNearest(near);
  if (names.length === 0) return 'no session has been made yet';
  if (names.length === 1) return `the only one is ${names[0]}`;
  return `${names.length > OFFERED ? 'some sessions' : 'the sessions'} are ${names.slice(0, OFFERED).join(', ')}`;
}

/** Returns the session as the API shows it. */
export function sessionView(record: SessionRecord): Session {
  const { name, created_at, ended_at, ephemeral, cwd, env_names } = record;
  return { session: name, created_at, ended_at, ephemeral, cwd, env_names };
}

/** An ephemeral session keeps its owner while that process lives. */
function ownedBy(
  ephemeral: boolean,
  known: SessionRecord | null,
  owner: Owner,
): Pick<SessionRecord, 'ephemeral' | 'owner'> {
  if (!ephemeral) return { ephemeral, owner: null };
  const keeps = known?.ephemeral === true && known.owner !== null && isAlive(known.owner);
  return { ephemeral, owner: keeps ? known.owner : owner };
}

/** Returns null for a damaged record, which is then replaced. Throws `unsupported` for a newer version's. */
function knownSession(path: string): SessionRecord | null {
  const parsed = parseSession(readFileSync(path, 'utf8'));
  if (parsed.ok) {
    // Earlier versions kept values of variables in it.
    chmodSync(path, 0o600);
    return parsed.session;
  }
  if (!parsed.newer) return null;
  throw new SpillwayError(
    'unsupported',
    'a newer version of Spillway made this session',
    'update this one, or use another session',
  );
}

function cannotBeWritten(name: string, error: unknown): SpillwayError {
  const { code } = error as NodeJS.ErrnoException;
  return new SpillwayError(
    'no_permission',
    `the session ${JSON.stringify(name)} cannot be written (${code ?? error})`,
    'make the home writable and free some disk space: `spillway doctor` names the folder',
  );
}
