/**
 * Sockets that only this user can reach, by name, in a home's `run/` directory: `NAME.sock`. Where that path would be
 * over 100 bytes, and on Windows (a named pipe), the socket is elsewhere and `NAME.path` holds its path. `NAME.pid`
 * holds the id of the listening process.
 *
 * A killed process leaves its socket behind. It is replaced, under a lock, only after nobody answered on it. If two
 * processes start together, one wins and the other learns its process id.
 */
import { chmod, mkdir, realpath, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import { withLock } from './lock.ts';
import { isListening, reach } from './reach.ts';
import { checkDirectory, checkSocketOwner } from './safety.ts';
import { makePlace, places, readHolder, removeRecords, writeRecords } from './socket-path.ts';

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
