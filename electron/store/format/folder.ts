/**
 * Lists the captures' folders for cleanup and statistics: sessions, and in each the artifacts with their records and
 * files. Follows no links. A folder that vanishes meanwhile counts as missing.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import {
  isSessionTemporary,
  type OurFile,
  ourFile,
  pinFile,
  SESSION_RECORD,
  sessionFolderName,
} from './names.ts';
import { captureRoots, entryNames, lstatOrNull, sandboxOf, sessionPaths, takeTurns } from './places.ts';
import { type CaptureRecord, type ParsedRecord, parseRecord, unreadableRecord } from './record.ts';
import { parseSession, type SessionRecord } from './session.ts';
import { MAX_SMALL_BYTES, readOwn } from './small-file.ts';

/** The same for a folder that is held. */
export function pinPathIn(folder: HeldFolder, id: string): string {
  return sandboxOf(folder.path) === null ? folder.at(pinFile(id)) : pinPath(folder.path, id);
}

export interface CaptureFile extends OurFile {
  name: string;
  bytes: number;
  mtimeMs: number;
  /** When the system saw its last change: nobody can set it, as anybody can set `mtimeMs`. */
  changedMs: number;
  ino: number;
  /** False for links, folders and devices, which Spillway never writes. */
  regular: boolean;
}

export interface Capture {
  id: string;
  folder: string;
  /** Which folder that was. */
  identity: FolderIdentity;
  /** Null when the record can't be read; `problem` says why, as a sentence. */
  record: CaptureRecord | null;
  problem: string | null;
  /** A later version of Spillway wrote it. */
  newer: boolean;
  pinned: boolean;
  /** An unfinished removal: the name its record has now, and the process that began it. */
  gone: { name: string; pid: number } | null;
  files: CaptureFile[];
  /** Size on disk of all its files. */
  bytes: number;
}

export interface SessionFolder {
  path: string;
  /** Which folder it was when it was listed: what is removed is removed from that one. */
  identity: FolderIdentity;
  /** Null when the session's record is missing, damaged or of a newer version. */
  session: SessionRecord | null;
  /** When the session's record was last written; 0 without one. Milliseconds since the epoch. */
  writtenMs: number;
  captures: Capture[];
  /** Temporary files of the session's record. */
  temporaries: CaptureFile[];
  /** All other names: not Spillway's, or without a record. */
  strays: string[];
}

/** Returns a record that was read before, without folded bytes; null unless that file still holds it. */
export type KnownRecord = (folder: string, id: string, file: CaptureFile) => CaptureRecord | null;

/** Yields all sessions, or the named one. `known` saves reading records again. */
export async function* readFolders(
  home: string,
  session?: string,
  known: KnownRecord = () => null,
): AsyncGenerator<SessionFolder> {
  const turn = takeTurns();
  const paths = session === undefined ? sessionPaths(home) : foldersOfSession(home, session);
  for (const path of paths) {
    await turn();
    const stats = lstatOrNull(path);
    if (stats?.isDirectory()) yield await readFolder(path, stats, turn, known);
  }
}

/** Returns the capture with its files as they are now. */
export function readAgain(capture: Capture): Capture {
  const files = capture.files.flatMap((file) => look(capture.folder, file.name, file) ?? []);
  return { ...capture, files, bytes: bytesOf(files) };
}

async function readFolder(
  path: string,
  { dev, ino }: FolderIdentity,
  turn: () => Promise<void>,
  knownRecord: KnownRecord,
): Promise<SessionFolder> {
  const byId = new Map<string, CaptureFile[]>();
  const temporaries: CaptureFile[] = [];
  const strays: string[] = [];
  const isDue = everySoOften();
  for (const name of entryNames(path).sort()) {
    if (isDue()) await turn();
    if (name === SESSION_RECORD) continue;
    if (isSessionTemporary(name)) {
      const file = look(path, name, { id: '', suffix: name, temporary: true, remover: null });
      if (file) temporaries.push(file);
      continue;
    }
    const ours = ourFile(name);
    const file = ours && look(path, name, ours);
    if (ours === null) strays.push(name);
    if (file === null) continue;
    const known = byId.get(file.id);
    if (known) known.push(file);
    else byId.set(file.id, [file]);
  }
  const captures: Capture[] = [];
  for (const [id, files] of byId) {
    const capture = captureOf({ path, identity: { dev, ino } }, id, files, knownRecord);
    if (capture) captures.push(capture);
    else strays.push(...files.map((file) => file.name));
    if (isDue()) await turn();
  }
  const written = lstatOrNull(join(path, SESSION_RECORD));
  const text = written ? readOwn(join(path, SESSION_RECORD)) : null;
  const parsed = text === null ? null : parseSession(text);
  return {
    path,
    identity: { dev, ino },
    session: parsed?.ok ? believedSession(parsed.session, path) : null,
    writtenMs: written?.mtimeMs ?? 0,
    captures,
    temporaries,
    strays,
  };
}

/** Items of a walk that take a few microseconds each. */
const ITEMS_OF_A_TURN = 32;

/** Returns a function that is true for one call in many: yielding costs as much as reading an item. */
function everySoOften(): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % ITEMS_OF_A_TURN === 0;
  };
}

/**
 * Returns null for files that begin with an id but have no record, nor one being removed: they belong to no capture.
 */
function captureOf(
  { path: folder, identity }: Pick<SessionFolder, 'path' | 'identity'>,
  id: string,
  files: CaptureFile[],
  knownRecord: KnownRecord,
): Capture | null {
  const recorded = files.find((file) => file.suffix === 'meta.json');
  const going = files.find((file) => file.remover !== null);
  if (!recorded && !going) return null;
  const known = recorded?.regular ? knownRecord(folder, id, recorded) : null;
  const text =
    recorded?.regular && !known ? readOwn(`${folder}${sep}${recorded.name}`, MAX_SMALL_BYTES, true) : null;
  // The capture was removed since the folder was listed.
  if (text === null && !known && !going && lstatOrNull(join(folder, recorded!.name)) === null) return null;
  const parsed = known ? ({ ok: true, record: known } as const) : parsedOf(text, recorded?.bytes ?? 0);
  const problem = parsed.ok ? problemOf(parsed.record, id, folder) : parsed.problem;
  const record = parsed.ok && problem === null ? believed(parsed.record, folder) : null;
  return {
    id,
    folder,
    identity,
    record,
    problem,
    newer: !parsed.ok && parsed.newer,
    pinned:
      sandboxOf(folder) === null
        ? files.some((file) => file.suffix === 'pin')
        : lstatOrNull(pinPath(folder, id)) !== null,
    gone: !recorded && going ? { name: going.name, pid: going.remover! } : null,
    files,
    bytes: bytesOf(files),
  };
}

function problemOf(record: CaptureRecord, id: string, folder: string): string | null {
  return record.artifact_id === id ? foreignIn(record, folder) : 'its record is of another artifact';
}

function parsedOf(text: string | null, bytes: number): ParsedRecord {
  if (text !== null) return parseRecord(text);
  return { ok: false, problem: unreadableRecord(bytes), newer: false };
}

function bytesOf(files: readonly CaptureFile[]): number {
  return files.reduce((sum, file) => sum + (file.regular ? file.bytes : 0), 0);
}

function look(folder: string, name: string, { id, suffix, temporary, remover }: OurFile): CaptureFile | null {
  // `join` would take as long as the look.
  const stats = lstatOrNull(`${folder}${sep}${name}`);
  if (stats === null) return null;
  const { size: bytes, mtimeMs, ctimeMs: changedMs, ino } = stats;
  return { id, suffix, temporary, remover, name, bytes, mtimeMs, changedMs, ino, regular: stats.isFile() };
}

// Holds a folder open, so that what is written, renamed or removed in it stays in it. Its path may lead elsewhere a
// moment after it was looked at: whoever may rename above it can put a link in its place. Node lacks `openat`; on Linux
// a descriptor has a path of its own. Elsewhere each path that is given out is checked just before.

/** Which folder it was when it was listed. */
type FolderIdentity = Pick<Stats, 'dev' | 'ino'>;

export class HeldFolder {
  readonly path: string;
  readonly #identity: FolderIdentity;
  readonly #fd: number | null;

  private constructor(path: string, identity: FolderIdentity, fd: number | null) {
    this.path = path;
    this.#identity = identity;
    this.#fd = fd;
  }

  /** Follows no link. Throws ENOENT for anything but a folder, and unless it is the one with the identity. */
  static open(path: string, identity?: FolderIdentity): HeldFolder {
    if (!canName()) {
      const stats = folderAt(path);
      if (identity !== undefined && !isSame(stats, identity)) throw gone(path);
      return new HeldFolder(path, stats, null);
    }
    const fd = opened(path);
    const stats = fstatSync(fd);
    if (identity === undefined || isSame(stats, identity)) return new HeldFolder(path, stats, fd);
    closeSync(fd);
    throw gone(path);
  }

  /** Returns a path of an entry of the folder, to use at once. Throws ENOENT if the folder is no longer there. */
  at(name: string): string {
    if (this.#fd !== null) return `/proc/self/fd/${this.#fd}/${name}`;
    if (!isSame(folderAt(this.path), this.#identity)) throw gone(this.path);
    return `${this.path}${sep}${name}`;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
  }
}

/** Throws what `HeldFolder.open` does, and what `use` does. */
export function inFolder<T>(path: string, use: (folder: HeldFolder) => T, identity?: FolderIdentity): T {
  const folder = HeldFolder.open(path, identity);
  try {
    return use(folder);
  } finally {
    folder.close();
  }
}

function opened(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ELOOP' || code === 'ENOTDIR' ? gone(path) : error;
  }
}

function folderAt(path: string): Stats {
  const stats = lstatSync(path);
  if (stats.isDirectory()) return stats;
  throw gone(path);
}

function isSame(one: FolderIdentity, other: FolderIdentity): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

function gone(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} is another folder now`), { code: 'ENOENT' });
}

let hasNames: boolean | undefined;

/** Whether the system names descriptors: Linux does, where /proc is mounted. */
function canName(): boolean {
  hasNames ??= process.platform === 'linux' && doesName();
  return hasNames;
}

function doesName(): boolean {
  const fd = opened('/');
  try {
    return isSame(statSync(`/proc/self/fd/${fd}/`), fstatSync(fd));
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}

// Don't trust captures from an agent's sandbox (places.ts), where commands can write anything. Read them as captures of
// that agent alone. Ignore the settings, pins, processes and files that they name.

const HASH_CHARS = 8;

/** Returns the folders that one session may have: ours first. */
function foldersOfSession(home: string, session: string): string[] {
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
  return { ...session, ended_at: null, ephemeral: false, owner: null, cwd: null, env: {}, env_names: [] };
}

/** By the hash alone: Perl and JavaScript make other slugs of rare names. */
function belongsIn(session: string, folder: string): boolean {
  return basename(folder).slice(-HASH_CHARS) === sessionFolderName(session).slice(-HASH_CHARS);
}
