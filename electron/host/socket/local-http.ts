/**
 * Checks where a request to an HTTP server of this machine comes from: `Host` tells DNS rebinding, `Origin` and
 * `Sec-Fetch-Site` tell pages of other sites. Each server checks its token afterwards, with `isSame`.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { SpillwayError } from '../../../shared/errors.ts';

/** Which requests a server accepts, once their only `Host` is known to name this machine. */
interface Policy {
  allowsHost(host: string): boolean;
  /** `host` is the request's. */
  allowsOrigin(origin: string, host: string): boolean;
  allowsSite(site: string, headers: IncomingHttpHeaders): boolean;
}

/** For the inspector, which has a cookie. Any site may link to it; no other site or port may embed or fetch it. */
export const INSPECTOR_POLICY: Policy = {
  // A URL has no port over 65535.
  allowsHost: (host) => hostOf(`http://${host}`) !== null,
  allowsOrigin: (origin, host) => origin.startsWith('http://') && hostOf(origin) === hostOf(`http://${host}`),
  allowsSite: (site, headers) =>
    site === 'same-origin' ||
    site === 'none' ||
    (headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'),
};

/** For MCP, which has no cookie: a page of this machine gets in with the token. At another port it is `same-site`. */
export const MCP_POLICY: Policy = {
  allowsHost: () => true,
  allowsOrigin: (origin) => OWN_ORIGIN.test(origin),
  allowsSite: (site) => site !== 'cross-site',
};

/** Returns the first part of the request that the policy refuses; null if it refuses none. */
export function foreignPart(request: IncomingMessage, policy: Policy): 'host' | 'origin' | 'site' | null {
  const given = request.headersDistinct.host ?? [];
  const [host] = given;
  if (given.length !== 1 || host === undefined || !OWN_HOST.test(host) || !policy.allowsHost(host)) {
    return 'host';
  }
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && !policy.allowsOrigin(origin, host)) return 'origin';
  if (site !== undefined && !policy.allowsSite(site, request.headers)) return 'site';
  return null;
}

/** Compares in constant time, so that nobody can guess a token piece by piece. */
export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** Names of this machine only, against DNS rebinding. Any port, as an SSH tunnel may end at another. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const OWN_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** Returns `host:port` as a URL has it; null if the URL is not valid. */
function hostOf(url: string): string | null {
  try {
    return new URL(url).host;
  } catch {
    return null;
  }
}

// HTTP servers on this machine alone: the port they listen on, and a limit to their connections.

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
