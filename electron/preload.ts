/** Electron's preload script: runs before the page, isolated and sandboxed. Bundled as CommonJS. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { DESKTOP } from '../shared/desktop.ts';
import { desktopOf, handOverPort, type PageWindow } from './shell/hand-over.ts';

declare const window: PageWindow;

handOverPort(window, ipcRenderer);
contextBridge.exposeInMainWorld(DESKTOP, desktopOf(webUtils, ipcRenderer));
