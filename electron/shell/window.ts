/** The window's options and its menu. */
import type { BrowserWindowConstructorOptions, MenuItemConstructorOptions } from 'electron';

/** The theme's text background (renderer/ui/theme/tokens.css), so the window does not flash before the page is drawn. */
export const BACKGROUND = { light: '#ffffff', dark: '#151518' } as const;

/**
 * The page is ours, but the text in it may come from anywhere: it gets no privileges.
 *
 * @param preload absolute path of the bundled preload script
 */
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

interface MenuActions {
  openFiles(): void;
  openFolder(): void;
}

/** The application menu: actions that the page does not have itself. */
export function menuTemplate(actions: MenuActions, platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: '&Open File…', accelerator: 'CmdOrCtrl+O', click: () => actions.openFiles() },
        { label: 'Open &Folder…', accelerator: 'CmdOrCtrl+Shift+O', click: () => actions.openFolder() },
        { type: 'separator' },
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { label: '&Edit', submenu: [{ role: 'copy' }, { role: 'selectAll' }] },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        { role: 'reload' },
        { role: 'toggleDevTools' },
      ],
    },
    { role: 'windowMenu' },
  ];
}
