/**
 * Sockets that only this user can reach, by name, in a home's `run/` directory: `NAME.sock`. Where that path would be
 * over 100 bytes, and on Windows (a named pipe), the socket is elsewhere and `NAME.path` holds its path. `NAME.pid`
 * holds the id of the listening process.
 *
 * A killed process leaves its socket behind. It is replaced, under a lock, only after nobody answered on it. If two
 * processes start together, one wins and the other learns its process id.
 */
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpillwayError } from '../../../shared/errors.ts';
import { isAlive, Owner, thisProcess } from '../../store/format/owner.ts';
import { howToClose, isOthersToo, OTHER_FOLDER } from '../settings/home.ts';

export interface PrivateServer {
  /** Listening. Connections made before there was a `connection` listener are given to the first one. */
  server: net.Server;
  /** A socket's path, or a pipe's name. */
  path: string;
  /** Ends every connection, stops listening and leaves nothing behind. */
  close(): Promise<void>;
}

/**
 * Listens on the socket `name` of `runDir`, which is made (0700) when missing.
 * Errors: `busy` if a live process listens on it; `home` if the path may belong to another user; `no_permission`.
 */
export async function listenPrivately(runDir: string, name: string): Promise<PrivateServer> {
  await mkdir(runDir, { recursive: true, mode: 0o700 }).catch((error) => {
    throw cannotListen(runDir, error);
  });
  // Two spellings of one home must come to one socket.
  const run = await realpath(runDir);
  await checkDirectory(run, 'tighten');
  return withLock(path.join(run, `${name}.lock`), async () => {
    await clearStale(run, name);
    const { server, connections, place } = await listen(run, name);
    await writeRecords(run, name, place);
    let closing: Promise<void> | undefined;
    return { server, path: place, close };

    function close(): Promise<void> {
      closing ??= new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }).then(() =>
        // Under the lock, or the records of a successor could go. A home that is gone needs no tidying.
        withLock(path.join(run, `${name}.lock`), () => removeRecords(run, name, place)).catch(() => {}),
      );
      return closing;
    }
  });
}

/**
 * Connects to the server on the socket `name` of `runDir`; null when none listens. Errors: `home` when the socket is
 * not safely ours; `busy` when its owner is alive but accepts no connections.
 */
export async function connectPrivately(runDir: string, name: string): Promise<net.Socket | null> {
  const run = await realpath(runDir).catch(() => null);
  if (run === null) return null;
  await checkDirectory(run, 'refuse');
  for (const place of await places(run, name)) {
    if (!(await checkSocketOwner(place))) continue;
    const socket = await reach(place);
    if (socket) return socket;
  }
  return null;
}

/** Id of the process that listens or listened on the socket `name`; null when none is recorded. */
export function socketHolder(runDir: string, name: string): Promise<number | null> {
  return readHolder(runDir, name);
}

async function clearStale(run: string, name: string): Promise<void> {
  for (const place of await places(run, name)) {
    if (!(await checkSocketOwner(place))) continue;
    // The system knows whether anyone listens; a recorded pid may be another's by now, so it only names the holder.
    if (await isListening(place)) {
      const pid = await readHolder(run, name);
      throw new SpillwayError(
        'busy',
        `${place} is held by ${pid === null ? 'a running process' : `process ${pid}`}`,
        'use the Spillway that runs there: `spillway open` shows its window, `spillway list` its outputs. Or end it first',
      );
    }
    if (process.platform !== 'win32') await rm(place, { force: true });
    await removeRecords(run, name, place);
  }
}

interface Listening {
  server: net.Server;
  connections: Set<net.Socket>;
  place: string;
}

async function listen(run: string, name: string): Promise<Listening> {
  const first = await makePlace(run, name, 'inside');
  try {
    return await listenAt(first);
  } catch (error) {
    // Shared and foreign file systems often hold files but no sockets.
    if (!NO_SOCKETS_HERE.has((error as NodeJS.ErrnoException).code ?? '')) throw cannotListen(first, error);
  }
  const second = await makePlace(run, name, 'elsewhere');
  return listenAt(second).catch(async (error) => {
    await removeRecords(run, name, second);
    throw cannotListen(second, error);
  });
}

async function listenAt(place: string): Promise<Listening> {
  const server = net.createServer();
  const connections = new Set<net.Socket>();
  let early: net.Socket[] = [];
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    // A vanished peer is not our error; the socket's user sees `close`.
    socket.on('error', () => {});
    if (server.listenerCount('connection') === 1) early.push(socket);
  });
  server.on('newListener', (event, listener) => {
    if (event !== 'connection') return;
    const waiting = early;
    early = [];
    process.nextTick(() => {
      for (const socket of waiting) listener.call(server, socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      resolve();
    });
  });
  if (process.platform !== 'win32') await chmod(place, 0o600);
  return { server, connections, place };
}

const NO_SOCKETS_HERE = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS', 'EIO']);

function cannotListen(place: string, error: unknown): SpillwayError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const denied = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
  return new SpillwayError(
    denied ? 'no_permission' : 'home',
    `Spillway can't listen on ${place} (${code})`,
    denied
      ? 'make its folder writable, or set SPILLWAY_HOME to one that is'
      : 'check the disk for errors and free space, or set SPILLWAY_HOME to another folder',
  );
}

// A lock for the few milliseconds in which a socket is created or removed: a file, created exclusively, that names its
// process. A lock of a dead process, or one older than the work can take, is removed.

const STALE_MS = 10_000;
const PATIENCE_MS = 15_000;

/** Errors: `busy` when others kept it for too long, and whatever `work` or making the file throws. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${randomBytes(8).toString('hex')} ${JSON.stringify(thisProcess())}\n`;
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await take(file, mine))) {
    await breakIfStale(file);
    if (performance.now() > deadline) {
      throw new SpillwayError(
        'busy',
        `${file} is held by another process`,
        `if no Spillway is starting, remove it`,
      );
    }
    await sleep(20);
  }
  try {
    return await work();
  } finally {
    if ((await textOf(file)) === mine) await rm(file, { force: true });
  }
}

async function take(file: string, mine: string): Promise<boolean> {
  try {
    await writeFile(file, mine, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function breakIfStale(file: string): Promise<void> {
  const text = await textOf(file);
  const stats = await stat(file).catch(() => null);
  if (text === null || stats === null) return;
  // A process killed before it wrote its id leaves an empty file: judge it by its age.
  const maker = makerOf(text);
  const dead = maker !== null && !isAlive(maker);
  if (!dead && Date.now() - stats.mtimeMs < STALE_MS) return;
  // Several processes may find the lock stale at once: only one can rename the file it judged, so that none removes
  // a newer lock.
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await textOf(aside)) !== text) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

/** The lock's owner; null when the file names none. Earlier versions wrote only the process id. */
function makerOf(text: string): Owner | null {
  const [pid = '', , json] = /^(\S+) (\S+)(?: (.*))?\n/.exec(text)?.slice(1) ?? [];
  try {
    return Owner.parse(json === undefined ? { pid: Number(pid), started: null } : JSON.parse(json));
  } catch {
    return null;
  }
}

async function textOf(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}

// Whether anyone listens at a place. The system's word is final: a refused connection means that nobody does.

/** Null when nobody listens. Errors: `busy` when someone does but takes no connections; `no_permission`. */
async function reach(place: string): Promise<net.Socket | null> {
  for (let attempt = 1; ; attempt++) {
    const result = await connectOnce(place);
    if (result instanceof net.Socket) return result;
    switch (result.code) {
      case 'ENOENT':
      case 'ECONNREFUSED':
        return null;
      case 'EACCES':
      case 'EPERM':
        throw new SpillwayError('no_permission', `No permission to connect to ${place}`, 'check who owns it');
      case 'EAGAIN':
      case 'EBUSY':
        // Its queue of unanswered connections is full.
        if (attempt < ATTEMPTS) break;
        throw new SpillwayError(
          'busy',
          `The process that listens on ${place} takes no connections`,
          'wait a moment and retry, or end that process',
        );
      default:
        throw new SpillwayError('internal', `Connecting to ${place} failed (${result.code})`, 'retry');
    }
    await sleep(50);
  }
}

/** Whether a live process listens there. */
async function isListening(place: string): Promise<boolean> {
  try {
    const socket = await reach(place);
    socket?.destroy();
    return socket !== null;
  } catch (error) {
    if (error instanceof SpillwayError && error.code === 'busy') return true;
    throw error;
  }
}

const ATTEMPTS = 20;

function connectOnce(place: string): Promise<net.Socket | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const socket = net.connect(place);
    const failed = (error: NodeJS.ErrnoException) => {
      socket.destroy();
      resolve(error);
    };
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });
}

// Where a private socket is: `NAME.sock` in the run directory when a socket's path may be that long, else in a
// private temporary directory (or, on Windows, a pipe with a name nobody can guess), recorded in `NAME.path`.

/** Bytes. Systems silently cut longer paths at 104 or 108. */
const LONGEST_PATH_BYTES = 100;
const PIPES = '\\\\.\\pipe\\';

/** Every place that may hold the socket, the recorded one first. Errors: `home` for a record that is not ours. */
async function places(run: string, name: string): Promise<string[]> {
  const recorded = await recordedPlace(run, name);
  const inside = insidePlace(run, name);
  return [recorded, inside].filter((place) => place !== null);
}

/** A place to listen at; `elsewhere` asks for one outside the run directory, whose directory is made. */
async function makePlace(run: string, name: string, where: 'inside' | 'elsewhere'): Promise<string> {
  if (process.platform === 'win32') return `${PIPES}spillway-${randomBytes(16).toString('hex')}-${name}`;
  const inside = insidePlace(run, name);
  if (where === 'inside' && inside !== null) return inside;
  // The six characters that mkdtemp adds are counted as their placeholder.
  const parent = [os.tmpdir(), '/tmp'].find((dir) => fits(path.join(dir, 'spillway-XXXXXX', `${name}.sock`)));
  if (parent === undefined) {
    throw new SpillwayError(
      'home',
      `There is no folder with a path short enough for the socket ${name}`,
      'set TMPDIR to a folder with a short path',
    );
  }
  return path.join(await mkdtemp(path.join(parent, 'spillway-')), `${name}.sock`);
}

/** Records this process as the listener and, for a socket elsewhere, its path. */
async function writeRecords(run: string, name: string, place: string): Promise<void> {
  if (place !== insidePlace(run, name)) await replaceFile(path.join(run, `${name}.path`), `${place}\n`);
  await replaceFile(path.join(run, `${name}.pid`), `${process.pid}\n`);
}

/** Forgets a place where nobody listens any more, with the directory that was made for it. */
async function removeRecords(run: string, name: string, place: string): Promise<void> {
  await rm(path.join(run, `${name}.pid`), { force: true });
  if (place === insidePlace(run, name)) return;
  await rm(path.join(run, `${name}.path`), { force: true });
  if (process.platform !== 'win32') await rmdir(path.dirname(place)).catch(() => {});
}

async function readHolder(run: string, name: string): Promise<number | null> {
  const text = await readFile(path.join(run, `${name}.pid`), 'utf8').catch(() => '');
  return /^\d{1,10}\n$/.test(text) ? Number(text) : null;
}

async function recordedPlace(run: string, name: string): Promise<string | null> {
  const file = path.join(run, `${name}.path`);
  const stats = await lstat(file).catch(() => null);
  if (stats === null) return null;
  if (!stats.isFile() || !isOurs(stats) || stats.size > 4096) throw badRecord(file);
  const place = (await readFile(file, 'utf8')).replace(/\n$/, '');
  if (process.platform === 'win32') {
    if (!place.startsWith(`${PIPES}spillway-`)) throw badRecord(file);
    return place;
  }
  if (!path.isAbsolute(place) || path.basename(place) !== `${name}.sock` || !fits(place))
    throw badRecord(file);
  // Temporary directories are cleaned by others; then nobody listens there.
  return (await checkDirectory(path.dirname(place), 'refuse')) ? place : null;
}

function badRecord(file: string): SpillwayError {
  return new SpillwayError(
    'home',
    `${file} is not a record that Spillway wrote`,
    'look at it, then remove it',
  );
}

function insidePlace(run: string, name: string): string | null {
  const place = path.join(run, `${name}.sock`);
  return process.platform !== 'win32' && fits(place) ? place : null;
}

function fits(place: string): boolean {
  return Buffer.byteLength(place) <= LONGEST_PATH_BYTES;
}

/** Nobody ever sees half of it. */
async function replaceFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(fresh, text, { flag: 'wx', mode: 0o600 });
  await rename(fresh, file);
}

// Whether a directory or a socket is ours alone. On Windows the directories' own access lists see to that.

/**
 * False when the directory is missing. Refuses one that others may write to, or with `tighten` makes it private:
 * enough for our own directory, since files that others left in it are not owned by us. Errors: `home`.
 */
async function checkDirectory(directory: string, whenOpen: 'tighten' | 'refuse'): Promise<boolean> {
  const stats = await statsOf(directory);
  if (stats === null) return false;
  if (process.platform === 'win32') return true;
  if (!stats.isDirectory()) throw refusal(directory, 'is not a directory', 'remove it');
  if (!isOurs(stats)) throw refusal(directory, `belongs to user ${stats.uid}, not to you`, OTHER_USER);
  if (whenOpen === 'tighten') {
    if ((stats.mode & 0o777) !== 0o700) await chmod(directory, 0o700);
  } else if ((stats.mode & 0o022) !== 0) {
    const todo = isOthersToo(directory) ? OTHER_FOLDER : howToClose(directory);
    throw refusal(directory, 'may be written to by other users', todo);
  }
  return true;
}

/** False when the socket is missing. Errors: `home` for a link, another kind of file, or another user's socket. */
async function checkSocketOwner(place: string): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const stats = await statsOf(place);
  if (stats === null) return false;
  if (stats.isSymbolicLink()) throw refusal(place, 'is a symbolic link, not a socket', REMOVE);
  if (!stats.isSocket()) throw refusal(place, 'is not a socket', REMOVE);
  if (!isOurs(stats)) throw refusal(place, `belongs to user ${stats.uid}, not to you`, REMOVE);
  return true;
}

function isOurs(stats: Stats): boolean {
  return process.platform === 'win32' || stats.uid === process.getuid?.();
}

const REMOVE = 'find out who put it there, then remove it';
const OTHER_USER = 'run Spillway as that user, or set SPILLWAY_HOME to a folder of your own';

function refusal(place: string, what: string, todo: string): SpillwayError {
  return new SpillwayError('home', `${place} ${what}`, todo);
}

async function statsOf(place: string): Promise<Stats | null> {
  try {
    return await lstat(place);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new SpillwayError('no_permission', `${place} can't be checked (${code})`, 'check who owns it');
  }
}
