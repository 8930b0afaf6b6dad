/** Runs before the page, in a world of its own, sandboxed; bundled as CommonJS. */
import { ipcRenderer } from 'electron';
import { handOverPort, type PageWindow } from './shell/hand-over.ts';

declare const window: PageWindow;

handOverPort(window, ipcRenderer);
