/** The window's options, its place on the screen, and the main process's end of its connection. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import * as z from 'zod';
import { channelEnd, type MessageChannelEnd } from '../../shared/api/wire.ts';

/** The theme's text background (renderer/ui/theme/tokens.css), so the window does not flash before the page is drawn. */
export const BACKGROUND = { light: '#ffffff', dark: '#151518' } as const;

/**
 * The page is ours, but the text in it may come from anywhere: it gets no privileges.
 *
 * @param preload absolute path of the bundled preload script
 * @param place where it was when it was last closed; null: the system chooses
 */
export function windowOptions(
  preload: string,
  dark: boolean,
  place: WindowPlace | null,
): BrowserWindowConstructorOptions {
  return {
    title: 'Spillway',
    width: 1280,
    height: 820,
    ...place?.bounds,
    minWidth: 560,
    minHeight: 360,
    // Shown when the first frame is ready.
    show: false,
    backgroundColor: dark ? BACKGROUND.dark : BACKGROUND.light,
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // The spell checker fetches its dictionaries from the network.
      spellcheck: false,
    },
  };
}

export const Theme = z.enum(['system', 'light', 'dark']);

const KeptWindow = z.object({
  /** In pixels of the screen. */
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) }),
  maximized: z.boolean(),
  /** The one chosen in the page, which a window has before its page is loaded. */
  theme: Theme.default('system'),
});
type KeptWindow = z.infer<typeof KeptWindow>;
export type WindowPlace = Pick<KeptWindow, 'bounds' | 'maximized'>;

/** In the profile folder. */
const KEPT_FILE = 'window.json';

/** Pixels of the window's upper edge that must be on a screen, so that it can be moved. */
const REACHABLE = { width: 120, height: 40 };

/** Returns where the window was; null if that is not known, or is on no screen that is there now. */
export function windowPlace(profile: string, screens: () => readonly Rectangle[]): WindowPlace | null {
  const kept = keptWindow(profile);
  if (!kept) return null;
  const { x, y, width } = kept.bounds;
  const isReachable = screens().some((screen) => {
    const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
    const down = Math.min(y + REACHABLE.height, screen.y + screen.height) - Math.max(y, screen.y);
    return across >= REACHABLE.width && down >= REACHABLE.height / 2;
  });
  return isReachable ? kept : null;
}

export function keptTheme(profile: string): KeptWindow['theme'] {
  return keptWindow(profile)?.theme ?? 'system';
}

/** Keeps it for the next start; where it cannot be written, the next window is where the system puts it. */
export function keepWindow(profile: string, kept: KeptWindow): void {
  try {
    writeFileSync(join(profile, KEPT_FILE), JSON.stringify(kept));
  } catch {}
}

function keptWindow(profile: string): KeptWindow | null {
  try {
    return KeptWindow.parse(JSON.parse(readFileSync(join(profile, KEPT_FILE), 'utf8')));
  } catch {
    return null;
  }
}

/** The part of Electron's MessagePortMain that is used. */
export interface MessagePortMainLike {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
}

/**
 * Wraps the port, and starts it with the first listener, so no message is lost. MessagePortMain can't transfer
 * ArrayBuffers, so messages are structured clones; it does not tell how much is buffered either.
 */
export function portEnd(port: MessagePortMainLike): MessageChannelEnd {
  const { end, received, closed } = channelEnd({
    post: (message) => port.postMessage(message),
    start: () => port.start(),
    close: () => port.close(),
  });
  port.on('message', (event) => received(event.data));
  port.on('close', closed);
  return end;
}
