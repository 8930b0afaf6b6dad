/** The folder of a session, made when the first capture comes into it. Any number of processes may do that at once. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import { capturesFolder, SESSION_RECORD, sessionFolder } from './names.ts';
import { SESSION_VERSION, type SessionRecord } from './session.ts';
import { isFolder, lstatOrNull } from './walk.ts';

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
