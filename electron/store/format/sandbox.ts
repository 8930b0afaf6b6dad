/**
 * What is believed of captures from an agent's sandbox (places.ts). Commands in it can make up whatever lies there, so it
 * is read as captures of that agent and of nobody else, and no setting, pin, process or other file is believed of it.
 */
import { basename, dirname, join } from 'node:path';
import { pinFile, sessionFolderName } from './names.ts';
import { captureRoots, sandboxOf } from './places.ts';
import type { CaptureRecord } from './record.ts';
import type { SessionRecord } from './session.ts';

const HASH_CHARS = 8;

/** Returns the folders that one session may have: ours first. */
export function foldersOfSession(home: string, session: string): string[] {
  return captureRoots(home).map((root) => join(root, sessionFolderName(session)));
}

/** The folder of the pins of captures from sandboxes: nobody in a sandbox can make or remove one. */
export function pinsFolder(home: string): string {
  return join(home, 'pins');
}

/** Path of a capture's pin. */
export function pinPath(folder: string, id: string): string {
  if (sandboxOf(folder) === null) return join(folder, pinFile(id));
  return join(pinsFolder(dirname(dirname(dirname(folder)))), pinFile(id));
}

/** Returns why the record cannot be of a capture in this folder, as a sentence; null for our own captures. */
export function foreignIn(record: CaptureRecord, folder: string): string | null {
  const agent = sandboxOf(folder);
  if (agent === null) return null;
  if (record.kind !== 'cmd' || record.agent?.name !== agent)
    return `its record is not of a command of ${agent}`;
  return belongsIn(record.session, folder) ? null : 'its record is of another session';
}

/** Leaves out which process to signal, and another file's path. */
export function believed(record: CaptureRecord, folder: string): CaptureRecord {
  return sandboxOf(folder) === null ? record : { ...record, stop: null, origin: null };
}

/** Leaves out what commands of the session elsewhere would get: their directory and variables. */
export function believedSession(session: SessionRecord | null, folder: string): SessionRecord | null {
  if (session === null || sandboxOf(folder) === null) return session;
  if (!belongsIn(session.name, folder)) return null;
  return { ...session, ended_at: null, ephemeral: false, owner: null, cwd: null, env: {} };
}

/** By the hash alone: Perl and JavaScript make other slugs of rare names. */
function belongsIn(session: string, folder: string): boolean {
  return basename(folder).slice(-HASH_CHARS) === sessionFolderName(session).slice(-HASH_CHARS);
}
