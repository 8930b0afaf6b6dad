/**
 * Serves the inspector to a browser: the built interface over HTTP, the API over a WebSocket at `/api`. Listens on
 * this machine only and wants a token. This is how the inspector runs over SSH and in containers.
 */
import { createHash } from 'node:crypto';
import http from 'node:http';
import type { Socket } from 'node:net';
import os from 'node:os';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Hello } from '../../shared/api/api.ts';
import { channelEnd, DRAINED_BYTES, type MessageChannelEnd } from '../../shared/api/wire.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { Host } from '../host/host.ts';
import { serveConnection } from '../host/serve.ts';
import { limitConnections, listenLocally } from '../host/socket/local-http.ts';
import { cookieName, type Gate, judgeRequest, Passes, requestUrl } from './gate.ts';
import { broken, refuseUpgrade, replyTo, send } from './reply.ts';

export interface WebShellOptions {
  host: Host;
  hello: Hello;
  /** 0: any free one. By default, the home's own, or another if that is in use. */
  port?: number | undefined;
  /** Folder of the built interface. */
  staticDir: string;
  /** The first token: at least 16 characters of base64url; by default 32 random bytes. */
  token?: string;
  /** How often a window must answer a ping. */
  keepAliveMs?: number;
  /** Called with unexpected errors. */
  onDefect?: (error: unknown) => void;
}

export interface WebShell {
  /** The address to print, with a token that was not used yet. */
  readonly url: string;
  /** An address to start a browser with: good once. */
  browserUrl(): string;
  port: number;
  /** Windows that are connected now. */
  windows(): number;
  /** Closes all connections at once, including open windows. */
  close(): Promise<void>;
}

/** Largest message from a window; they are small. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_WINDOWS = 64;
const MAX_CONNECTIONS = 512;

/** Throws `busy` when the port is in use, `no_permission`, and `usage` for a bad port or token. */
export async function startWebShell(options: WebShellOptions): Promise<WebShell> {
  const { host, hello, staticDir, keepAliveMs = 30_000 } = options;
  const passes = new Passes(options.token);
  if (!/^[\w-]{16,}$/.test(passes.token)) {
    throw new SpillwayError('usage', 'The token is not valid', 'give 16 or more of A-Z a-z 0-9 - _');
  }
  const server = http.createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 5000,
  });
  const connections = limitConnections(server, MAX_CONNECTIONS);
  const windows = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });

  const port = await listen(server, options.port, hello.home);
  const gate: Gate = { passes, cookieName: cookieName(os.hostname(), hello.home, port) };

  server.on('request', (request, response) => {
    replyTo(request, gate, staticDir)
      .catch(() => broken)
      .then((reply) => send(request, response, reply));
  });

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {});
    const verdict = judgeRequest(request, gate);
    if (!verdict.pass) return refuseUpgrade(socket, verdict.status);
    if (requestUrl(request)?.pathname !== '/api') return refuseUpgrade(socket, 404);
    if (windows.clients.size >= MAX_WINDOWS) return refuseUpgrade(socket, 503);
    windows.handleUpgrade(request, socket, head, (webSocket) => {
      serveConnection(webSocketEnd(webSocket, request.socket, keepAliveMs), host, hello, options.onDefect);
    });
  });

  return {
    get url() {
      return `http://127.0.0.1:${port}/?token=${passes.token}`;
    },
    browserUrl: () => `http://127.0.0.1:${port}/?code=${passes.newCode()}`,
    port,
    windows: () => windows.clients.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const webSocket of windows.clients) webSocket.terminate();
        connections.closeAll();
      }),
  };
}

async function listen(server: http.Server, port: number | undefined, home: string): Promise<number> {
  if (port !== undefined) return listenOn(server, port);
  for (const own of portsOfHome(home)) {
    const got = await listenOn(server, own).catch(() => null);
    if (got !== null) return got;
  }
  return listenOn(server, 0);
}

async function listenOn(server: http.Server, port: number): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new SpillwayError('usage', `${port} is not a port`, 'give a number from 0 (any free one) to 65535');
  }
  return listenLocally(server, port, {
    purpose: '',
    choose: 'with --port, or omit --port to use a free one',
  });
}

/** Below the ports that Linux, macOS and Windows give to outgoing connections. */
const FIRST = 20_000;
const COUNT = 10_000;
const TRIES = 4;

/** Returns ports that follow from the home's path; the later ones are for when another program has the first. */
function portsOfHome(home: string): number[] {
  const digest = createHash('sha256').update(home).digest();
  return Array.from({ length: TRIES }, (_, i) => FIRST + (digest.readUInt32BE(4 * i) % COUNT));
}

// The web shell's end of a connection: a WebSocket that carries JSON. While a window does not read, it is not read
// from either, so its backlog stays bounded. A window that neither answers pings nor drains its backlog is dropped.

/** Above this backlog nothing is read from a window: even refusals would pile up. */
export const PAUSE_BYTES = 8 * 1024 * 1024;

/**
 * `wire` is the connection below `socket`. A window that gives no sign of life within `keepAliveMs` of a ping is
 * dropped.
 */
export function webSocketEnd(socket: WebSocket, wire: Socket, keepAliveMs: number): MessageChannelEnd {
  const backlogBytes = () => socket.bufferedAmount;
  let waitsForDrain = false;

  const { end, received, closed, drained } = channelEnd({
    post(message) {
      socket.send(JSON.stringify(message), onSent);
      if (backlogBytes() > DRAINED_BYTES) waitsForDrain = true;
      if (backlogBytes() > PAUSE_BYTES && !socket.isPaused) socket.pause();
    },
    close() {
      socket.close(1000);
      // Don't wait for the answer: a window that is gone would keep the socket for half a minute.
      setTimeout(() => socket.terminate(), 1000).unref();
    },
    bufferedAmount: backlogBytes,
  });

  function onSent(): void {
    if (!waitsForDrain || backlogBytes() > DRAINED_BYTES) return;
    waitsForDrain = false;
    if (socket.isPaused) socket.resume();
    drained();
  }

  let alive = true;
  const timer = setInterval(() => {
    // Behind a backlog a ping would be answered late, and while we don't read its answer is not seen.
    const backlog = backlogBytes() > 0;
    if (!backlog && !alive) return socket.terminate();
    alive = backlog;
    if (!backlog) socket.ping();
  }, keepAliveMs);
  timer.unref();
  // With a backlog, progress counts instead: every byte sent restarts this timeout.
  wire.setTimeout(2 * keepAliveMs, () => {
    if (backlogBytes() > 0) socket.terminate();
  });

  socket.on('pong', () => {
    alive = true;
  });
  socket.on('message', (data, isBinary) => {
    alive = true;
    received(isBinary ? undefined : parsed(data));
  });
  // An invalid or oversized frame: ws closes the connection with the matching code.
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(timer);
    closed();
  });
  return end;
}

/** Returns undefined, which is not a valid message, for text that is not JSON. */
function parsed(data: RawData): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
