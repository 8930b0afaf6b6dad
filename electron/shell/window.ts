/** The window's options, and its place on the screen. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import * as z from 'zod';

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

const WindowPlace = z.object({
  /** In pixels of the screen. */
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) }),
  maximized: z.boolean(),
});
export type WindowPlace = z.infer<typeof WindowPlace>;

/** In the profile folder. */
const PLACE_FILE = 'window.json';

/** Pixels of the window's upper edge that must be on a screen, so that it can be moved. */
const REACHABLE = { width: 120, height: 40 };

/** Returns where the window was; null if that is not known, or is on no screen that is there now. */
export function windowPlace(profile: string, screens: () => readonly Rectangle[]): WindowPlace | null {
  const { data } = WindowPlace.safeParse(parsed(join(profile, PLACE_FILE)));
  if (!data) return null;
  const { x, y, width } = data.bounds;
  const isReachable = screens().some((screen) => {
    const across = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
    const down = Math.min(y + REACHABLE.height, screen.y + screen.height) - Math.max(y, screen.y);
    return across >= REACHABLE.width && down >= REACHABLE.height / 2;
  });
  return isReachable ? data : null;
}

/** Keeps it for the next start; where it cannot be written, the next window is where the system puts it. */
export function keepWindowPlace(profile: string, place: WindowPlace): void {
  try {
    writeFileSync(join(profile, PLACE_FILE), JSON.stringify(place));
  } catch {}
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
