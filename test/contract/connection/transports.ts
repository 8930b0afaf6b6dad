/** The transports the API is spoken over, through the adapters that the shells and the window use. */
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { MessageChannel, type MessagePort as NodePort } from 'node:worker_threads';
import { WebSocket as NodeWebSocket, WebSocketServer } from 'ws';
import type { Host } from '../../../electron/host/host.ts';
import { serveConnection } from '../../../electron/host/serve.ts';
import { type MessagePortMainLike, portEnd as mainPortEnd } from '../../../electron/shell/window.ts';
import { startWebShell, webSocketEnd } from '../../../electron/web/shell.ts';
import { openMessagePort, openWebSocket } from '../../../renderer/connection/host-link.ts';
import type { MessageChannelEnd } from '../../../shared/api/wire.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { hello } from './memory-host.ts';

export interface Link {
  /** The window's end. */
  client: MessageChannelEnd;
  /** Breaks the connection from the host's side. */
  drop(): void;
  /** Lets everything go that was opened for it. */
  dispose(): Promise<void>;
}

export interface BareLink extends Link {
  host: MessageChannelEnd;
}

export interface Transport {
  name: string;
  /** A window's end of a connection that `host` serves, through the real shell. */
  serve(host: Host, onDefect?: (error: unknown) => void): Promise<Link>;
  /** Both ends, with nobody serving. */
  bare(): Promise<BareLink>;
}

const messagePort: Transport = {
  name: 'MessagePort',
  async serve(host, onDefect) {
    const link = await this.bare();
    serveConnection(link.host, host, hello, onDefect);
    return link;
  },
  async bare() {
    const { port1, port2 } = new MessageChannel();
    const host = mainPortEnd(asMessagePortMain(port1));
    const client = await openMessagePort(pageGiven(port2), new AbortController().signal);
    return {
      host,
      client,
      drop: () => port1.close(),
      dispose: async () => {
        port1.close();
        port2.close();
      },
    };
  },
};

const webSocket: Transport = {
  name: 'WebSocket',
  async serve(host, onDefect) {
    const staticDir = makeFolder();
    writeFileSync(path.join(staticDir, 'index.html'), '<!doctype html><title>Spillway</title>');
    const shell = await startWebShell({ host, hello, port: 0, staticDir, ...(onDefect ? { onDefect } : {}) });
    const client = await browserEnd(shell.url.replace('http:', 'ws:').replace('/?', '/api?'));
    return {
      client,
      drop: () => void shell.close(),
      async dispose() {
        client.close();
        await shell.close();
        removeFolder(staticDir);
      },
    };
  },
  async bare() {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const opened = browserEnd(`ws://127.0.0.1:${port}/api`);
    const [socket, request] = (await once(server, 'connection')) as [NodeWebSocket, IncomingMessage];
    const client = await opened;
    return {
      host: webSocketEnd(socket, request.socket, 30_000),
      client,
      drop: () => socket.terminate(),
      async dispose() {
        client.close();
        for (const one of server.clients) one.terminate();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
};

export const transports: Transport[] = [messagePort, webSocket];

/** As in a browser, where WebSocket is a global (Node 20 has none). */
function browserEnd(url: string): Promise<MessageChannelEnd> {
  Object.assign(globalThis, { WebSocket: NodeWebSocket });
  return openWebSocket(url, new AbortController().signal);
}

/** A page whose preload script answers the request for a port with `port`. */
function pageGiven(port: NodePort): Window {
  const page = new EventTarget();
  return Object.assign(page, {
    origin: 'spillway://app',
    postMessage() {
      const event = Object.assign(new Event('message'), {
        source: page,
        data: { type: 'spillway:port' },
        // Node's port has all of the DOM's that is used; its declared types differ.
        ports: [port],
      });
      page.dispatchEvent(event);
    },
  }) as unknown as Window;
}

/** A Node port that behaves like Electron's: `data` events, silent before `start`, `close` from the peer only. */
function asMessagePortMain(port: NodePort): MessagePortMainLike {
  const events = new EventEmitter();
  let closedHere = false;
  port.on('close', () => {
    if (!closedHere) events.emit('close');
  });
  return Object.assign(events, {
    postMessage: (message: unknown) => port.postMessage(message),
    start: () => port.on('message', (data) => events.emit('message', { data, ports: [] })),
    close() {
      closedHere = true;
      port.close();
    },
  });
}
