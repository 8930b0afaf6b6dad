/** Sessions on disk: a folder for each, and the `session.json` in it. */
import { existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { randomHex, SESSION_RECORD, sessionFolder } from './names.ts';
import { Owner } from './owner.ts';
import { capturesFolder, isFolder, lstatOrNull } from './places.ts';
import { removeFile } from './small-file.ts';
import { isoTime } from './times.ts';

const SESSION_VERSION = 1;

export const SessionRecord = z.object({
  version: z.literal(SESSION_VERSION),
  /** As the user gave it; the folder carries a slug and a hash of it. */
  name: z.string().min(1),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  /** Removed with all its captures when its owner has ended. */
  ephemeral: z.boolean(),
  owner: Owner.nullable(),
  /** Default directory of its commands. */
  cwd: z.string().nullable(),
  /** Variables of its commands whose values are no secret. */
  env: z.record(z.string(), z.string()).default({}),
  /** All their variables, sorted. Only the process that set them has the values that are secret. */
  env_names: z.array(z.string()).default([]),
});
export type SessionRecord = z.infer<typeof SessionRecord>;

/** Returns the record of a session before anyone sets its directory, environment or owner. */
export function newSession(name: string, now: Date): SessionRecord {
  return {
    version: SESSION_VERSION,
    name,
    created_at: isoTime(now),
    ended_at: null,
    ephemeral: false,
    owner: null,
    cwd: null,
    env: {},
    env_names: [],
  };
}

type ParsedSession = { ok: true; session: SessionRecord } | { ok: false; newer: boolean };

/** `newer`: a later version of Spillway wrote it, so it must not be touched. */
export function parseSession(text: string): ParsedSession {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, newer: false };
  }
  const parsed = SessionRecord.safeParse(value);
  if (parsed.success) return { ok: true, session: parsed.data };
  const version = (value as { version?: unknown } | null)?.version;
  return { ok: false, newer: typeof version === 'number' && version > SESSION_VERSION };
}

/**
 * Makes a session's folder and record if they are missing, and returns the folder's path. Several processes may do so
 * at once; the first one's record stays. The home must exist. Throws what the system throws, and SpillwayError `home`
 * for a link, since readers don't follow links.
 */
export function openSessionFolder(home: string, session: string, now: Date): string {
  const folder = sessionFolder(home, session);
  make(capturesFolder(home));
  make(folder);
  if (!existsSync(join(folder, SESSION_RECORD))) writeFirst(folder, session, now);
  return folder;
}

/** Not recursive: in a folder that allows no entries (/proc), Node 20's recursive mkdir never returns. */
function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Missing means it was removed again just now.
    if (lstatOrNull(folder) !== null && !isFolder(folder)) throw notOurs(folder);
  }
}

function notOurs(path: string): SpillwayError {
  return new SpillwayError(
    'home',
    `${path} is not a folder made by Spillway`,
    'move it away: Spillway follows no links there',
  );
}

function writeFirst(folder: string, name: string, now: Date): void {
  const temporary = join(folder, `${SESSION_RECORD}.${randomHex(4)}.tmp`);
  try {
    writeFileSync(temporary, JSON.stringify(newSession(name, now)), { flag: 'wx', mode: 0o600 });
    // link(2), unlike rename(2), fails when another process wrote the record first.
    linkSync(temporary, join(folder, SESSION_RECORD));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    removeFile(temporary);
  }
}
