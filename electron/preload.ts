/** Electron's preload script: runs before the page, isolated and sandboxed. Bundled as CommonJS. */
import { ipcRenderer } from 'electron';
import { handOverPort, type PageWindow } from './shell/hand-over.ts';

declare const window: PageWindow;

handOverPort(window, ipcRenderer);
