/** Sessions on disk: a folder for each, and the `session.json` in it. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { capturesFolder, SESSION_RECORD, sessionFolder } from './names.ts';
import { Owner } from './owner.ts';
import { isFolder, lstatOrNull } from './walk.ts';

export const SESSION_VERSION = 1;

export const SessionRecord = z.object({
  version: z.literal(SESSION_VERSION),
  /** As it was given; its folder carries a slug and a hash of it. */
  name: z.string().min(1),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  /** Goes with everything in it when its owner has ended. */
  ephemeral: z.boolean(),
  owner: Owner.nullable(),
  /** For commands that name none. */
  cwd: z.string().nullable(),
  /** Names and values, added to the environment of commands. */
  env: z.record(z.string(), z.string()),
});
export type SessionRecord = z.infer<typeof SessionRecord>;

export type ParsedSession = { ok: true; session: SessionRecord } | { ok: false; newer: boolean };

/** `newer`: a later version of Spillway wrote it, which must be left alone. */
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
 * The folder's path; with its record in it, the first maker's. The home is there already. Throws what the system throws, and
 * SpillwayError `home` for a link: nobody who looks for captures follows it.
 */
export function openSessionFolder(home: string, session: string, now: Date): string {
  const folder = sessionFolder(home, session);
  make(capturesFolder(home));
  make(folder);
  if (!existsSync(join(folder, SESSION_RECORD))) writeFirst(folder, session, now);
  return folder;
}

/** Not recursively: where nothing can be made (/proc), Node 20 would try for ever. */
function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Unless it has just gone again.
    if (lstatOrNull(folder) !== null && !isFolder(folder)) throw notOurs(folder);
  }
}

function notOurs(path: string): SpillwayError {
  return new SpillwayError(
    'home',
    `${path} is not a folder of Spillway's own`,
    'move it away: links are not followed there',
  );
}

function writeFirst(folder: string, name: string, now: Date): void {
  const record: SessionRecord = {
    version: SESSION_VERSION,
    name,
    created_at: now.toISOString(),
    ended_at: null,
    ephemeral: false,
    owner: null,
    cwd: null,
    env: {},
  };
  const temporary = join(folder, `${SESSION_RECORD}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    writeFileSync(temporary, JSON.stringify(record), { flag: 'wx', mode: 0o600 });
    // A link, unlike a rename, does not replace what another process was quicker to write.
    linkSync(temporary, join(folder, SESSION_RECORD));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
