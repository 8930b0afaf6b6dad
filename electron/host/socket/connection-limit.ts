/**
 * Limits the connections of an HTTP server. When one too many arrives, the oldest idle one is closed, so connections
 * that somebody opens and leaves idle never keep a person out. Node's own `maxConnections` refuses the new one instead.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface ConnectionLimit {
  /** Closes every connection, busy ones too. */
  closeAll(): void;
}

/** A connection is busy while a request on it is answered, and for good once it was upgraded. */
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
