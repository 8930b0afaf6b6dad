/** The window's options. The page is ours, but the text in it may come from anywhere: it gets no privileges. */
import type { BrowserWindowConstructorOptions } from 'electron';

/** The theme's text background (renderer/theme/tokens.css), so the window does not flash before the page is drawn. */
export const BACKGROUND = { light: '#ffffff', dark: '#151518' } as const;

/** @param preload absolute path of the bundled preload script */
export function windowOptions(preload: string, dark: boolean): BrowserWindowConstructorOptions {
  return {
    title: 'Spillway',
    width: 1280,
    height: 820,
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
