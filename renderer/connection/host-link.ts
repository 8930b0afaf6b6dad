/**
 * Keeps one connection to the host. After it closes, opens the next after a wait that doubles up to ten seconds.
 * Components subscribe again when the connection in the state changes.
 */

import type { Connection } from '../../shared/api/api.ts';
import { connectionOver } from '../../shared/api/client.ts';
import { channelEnd, type MessageChannelEnd } from '../../shared/api/wire.ts';

export interface LinkState {
  status: 'connecting' | 'online' | 'offline';
  connection: Connection | null;
  /** When the next attempt is made, in milliseconds since 1970; null unless offline and waiting. */
  retryAt: number | null;
  /** True once there has been a connection. */
  wasOnline: boolean;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const ATTEMPT_TIMEOUT_MS = 8_000;

export class HostLink {
  readonly #openEnd: OpenEnd;
  readonly #listeners = new Set<() => void>();
  #state: LinkState = { status: 'connecting', connection: null, retryAt: null, wasOnline: false };
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt: AbortController | undefined;

  constructor(openEnd: OpenEnd) {
    this.#openEnd = openEnd;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): LinkState => this.#state;

  start(): void {
    if (this.#attempt || this.#state.connection) return;
    void this.#try();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#attempt?.abort();
    this.#attempt = undefined;
    this.#state.connection?.close();
    this.#set({ status: 'connecting', connection: null, retryAt: null });
  }

  /** Retries without waiting. */
  readonly tryNow = (): void => {
    if (this.#state.status !== 'offline') return;
    clearTimeout(this.#timer);
    void this.#try();
  };

  async #try(): Promise<void> {
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#set({ retryAt: null });
    const timeout = setTimeout(() => attempt.abort(), ATTEMPT_TIMEOUT_MS);
    try {
      const connection = connectionOver(await this.#openEnd(attempt.signal));
      if (this.#attempt !== attempt) return connection.close();
      this.#failures = 0;
      connection.onClose(() => {
        if (this.#state.connection === connection) this.#wait();
      });
      this.#set({ status: 'online', connection, retryAt: null, wasOnline: true });
    } catch {
      if (this.#attempt === attempt) this.#wait();
    } finally {
      clearTimeout(timeout);
      if (this.#attempt === attempt) this.#attempt = undefined;
    }
  }

  #wait(): void {
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#timer = setTimeout(() => void this.#try(), wait);
    this.#set({ status: 'offline', connection: null, retryAt: Date.now() + wait });
  }

  #set(change: Partial<LinkState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}

/**
 * The transport to the host: a MessagePort from the preload script in the desktop window, a WebSocket
 * in the browser. Resolves once messages can be sent; rejects when the host can't be reached.
 */
type OpenEnd = (signal: AbortSignal) => Promise<MessageChannelEnd>;

export const openEnd: OpenEnd = (signal) =>
  location.protocol === 'spillway:'
    ? openMessagePort(window, signal)
    : openWebSocket(socketUrl(location), signal);

export function socketUrl(page: { protocol: string; host: string }): string {
  return `${page.protocol === 'https:' ? 'wss:' : 'ws:'}//${page.host}/api`;
}

/** Asks the preload script for a port and waits for it. */
export function openMessagePort(target: Window, signal: AbortSignal): Promise<MessageChannelEnd> {
  return new Promise((resolve, reject) => {
    const onMessage = (event: MessageEvent) => {
      // Only the preload script shares this window; a frame or an opener is another source.
      if (event.source !== target || event.data?.type !== 'spillway:port') return;
      const port = event.ports[0];
      if (!port) return;
      target.removeEventListener('message', onMessage);
      resolve(messagePortEnd(port));
    };
    signal.addEventListener('abort', () => {
      target.removeEventListener('message', onMessage);
      reject(new Error('cancelled'));
    });
    target.addEventListener('message', onMessage);
    target.postMessage({ type: 'spillway:ready' }, target.origin === 'null' ? '*' : target.origin);
  });
}

function messagePortEnd(port: MessagePort): MessageChannelEnd {
  const controls = channelEnd({
    post: (message) => port.postMessage(message),
    close: () => port.close(),
    start: () => port.start(),
  });
  port.addEventListener('message', (event) => controls.received(event.data));
  port.addEventListener('close', () => controls.closed());
  return controls.end;
}

export function openWebSocket(url: string, signal: AbortSignal): Promise<MessageChannelEnd> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    const controls = channelEnd({
      post: (message) => {
        // While it closes, a browser sends nothing and complains; the end learns that it is closed.
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
      },
      close: () => socket.close(),
      bufferedAmount: () => socket.bufferedAmount,
    });
    signal.addEventListener('abort', () => {
      socket.close();
      reject(new Error('cancelled'));
    });
    socket.addEventListener('open', () => resolve(controls.end));
    socket.addEventListener('message', (event) => {
      const message = parse(event.data);
      if (message !== undefined) controls.received(message);
    });
    socket.addEventListener('close', () => {
      reject(new Error('closed'));
      controls.closed();
    });
  });
}

function parse(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
