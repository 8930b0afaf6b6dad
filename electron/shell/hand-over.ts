/** The preload: passes a port from the main process to the page (below), and exposes `Desktop`. */
import type { Desktop, Saved } from '../../shared/desktop.ts';

/** The part of the page's Window that is used, as this side lacks DOM types. */
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
  send(channel: string, ...args: unknown[]): void;
  on(channel: string, listener: (event: { ports: readonly unknown[] }, ...args: unknown[]) => void): unknown;
}

export function handOverPort(page: PageWindow, ipc: Ipc): void {
  const { origin } = page.location;
  page.addEventListener('message', (event) => {
    // Ignore frames inside the page and the window that opened it.
    if (event.source === page && event.origin === origin && typeOf(event.data) === READY) ipc.send(CONNECT);
  });
  ipc.on(PORT, (event) => page.postMessage({ type: PORT }, origin, [...event.ports]));
}

/** The part of Electron's WebUtils that is used; `File` is a type of the page. */
interface Files {
  getPathForFile(file: never): string;
}

/** Only functions that take and return plain values: the page never gets a part of Electron. */
export function desktopOf(files: Files, ipc: Ipc): Desktop {
  return {
    pathOf: (file) => files.getPathForFile(file as never),
    chooseToOpen: (what) => ipc.send(CHOOSE, what),
    showMenu: (entries) => ipc.send(MENU, entries),
    showTheme: (theme) => ipc.send(THEME, theme),
    onChosen: (listener) => void ipc.on(CHOSEN, (_event, action) => listener(action as string)),
    onSaved: (listener) => void ipc.on(SAVED, (_event, saved) => listener(saved as Saved)),
  };
}

function typeOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;
}

/**
 * Names the channels by which the window gets its connection. A port can't pass from the main process into a page
 * directly:
 *
 *     page                      preload                      main
 *      | postMessage {spillway:ready} |                         |
 *      |----------------------------->| send spillway:connect   |
 *      |                              |------------------------>| makes a channel, serves one end
 *      |                              |   spillway:port + port  |
 *      |   postMessage {spillway:port}|<------------------------|
 *      |<-----------------------------|                         |
 *
 * The page (renderer/connection) listens before it asks, takes the port from `event.ports[0]` of a message whose
 * `event.source` is its own window and whose `data.type` is `spillway:port`, and may ask again: it gets a new port.
 */
export const CONNECT = 'spillway:connect';
const READY = 'spillway:ready';
export const PORT = 'spillway:port';

/**
 * Channels: the page's menu and theme to the main process; chosen menu entries and the ends of downloads to the page
 * (shared/desktop.ts).
 */
export const CHOOSE = 'spillway:choose';
export const MENU = 'spillway:menu';
export const THEME = 'spillway:theme';
export const CHOSEN = 'spillway:chosen';
export const SAVED = 'spillway:saved';
