/** The preload's whole task: to pass a port from the main process on to the page (channels.ts). Nothing is exposed. */
import { CONNECT, PORT, READY } from './channels.ts';

/** The part of the page's Window that is used; this side has no DOM types. */
export interface PageWindow {
  readonly location: { readonly origin: string };
  addEventListener(type: 'message', listener: (event: PageMessage) => void): void;
  postMessage(message: unknown, targetOrigin: string, transfer: unknown[]): void;
}

export interface PageMessage {
  readonly source: unknown;
  readonly origin: string;
  readonly data: unknown;
}

/** The part of Electron's IpcRenderer that is used. */
export interface Ipc {
  send(channel: string): void;
  on(channel: string, listener: (event: { ports: readonly unknown[] }) => void): unknown;
}

export function handOverPort(page: PageWindow, ipc: Ipc): void {
  const { origin } = page.location;
  page.addEventListener('message', (event) => {
    // A frame inside the page, or whoever opened it, is another source.
    if (event.source === page && event.origin === origin && typeOf(event.data) === READY) ipc.send(CONNECT);
  });
  ipc.on(PORT, (event) => page.postMessage({ type: PORT }, origin, [...event.ports]));
}

function typeOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;
}
