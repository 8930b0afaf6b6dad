/**
 * The transport to the host: a MessagePort from the preload script in the desktop window, a WebSocket
 * in the browser. Resolves once messages can be sent; rejects when the host can't be reached.
 */
import { channelEnd } from '../../shared/api/end.ts';
import type { MessageChannelEnd } from '../../shared/api/messages.ts';

export type OpenEnd = (signal: AbortSignal) => Promise<MessageChannelEnd>;

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
      post: (message) => socket.send(JSON.stringify(message)),
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
