/** Listens on a port of this machine: at 127.0.0.1, which no other machine reaches. */
import type { Server } from 'node:http';
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
