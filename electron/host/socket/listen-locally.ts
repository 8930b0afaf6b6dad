/** HTTP servers on this machine alone: the port they listen on, and a limit to their connections. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { SpillwayError } from '../../../shared/errors.ts';

interface PortUse {
  /** The purpose, as a phrase after the port's number; empty for Spillway's own page. */
  purpose: string;
  /** How to choose another port. */
  choose: string;
}

/** Resolves with the port; 0 asks for any free one. Rejects with `busy`, `no_permission` and `home`. */
export function listenLocally(server: Server, port: number, use: PortUse): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => reject(cannotListen(port, error, use)));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function cannotListen(
  port: number,
  { code }: NodeJS.ErrnoException,
  { purpose, choose }: PortUse,
): SpillwayError {
  const named = `${port}${purpose}`;
  if (code === 'EADDRINUSE')
    return new SpillwayError(
      'busy',
      `Port ${named} is in use by another program`,
      `choose another ${choose}`,
    );
  if (code === 'EACCES')
    return new SpillwayError(
      'no_permission',
      `No permission to listen on port ${named}`,
      `choose another from 1024 up ${choose}`,
    );
  return new SpillwayError('home', `Can't listen on port ${named} (${code})`, `choose another ${choose}`);
}

interface ConnectionLimit {
  /** Closes every connection, busy ones too. */
  closeAll(): void;
}

/**
 * Closes the oldest idle connection when one too many arrives, so connections that somebody opens and leaves idle never
 * keep a person out. Node's own `maxConnections` refuses the new one instead. A connection is busy while a request on
 * it is answered, and for good once it was upgraded.
 */
export function limitConnections(server: Server, max: number): ConnectionLimit {
  /** Idle and busy, the one idle longest first. */
  const sockets = new Set<Socket>();
  const busy = new Set<Socket>();

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      busy.delete(socket);
    });
    if (sockets.size <= max) return;
    const oldest = [...sockets].find((other) => !busy.has(other));
    sockets.delete(oldest ?? socket);
    (oldest ?? socket).destroy();
  });
  server.on('request', ({ socket }, response) => {
    busy.add(socket);
    response.on('close', () => {
      busy.delete(socket);
      // It goes to the end of the queue, unless it was closed.
      if (sockets.delete(socket)) sockets.add(socket);
    });
  });
  server.on('upgrade', ({ socket }) => busy.add(socket));

  return {
    closeAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
