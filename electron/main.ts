/** Electron's entry point: `electron . PATH…`, and what a packaged Spillway starts. */
import { fileURLToPath } from 'node:url';
import { startInspector } from './app/start-host.ts';
import { runDesktop } from './shell/desktop.ts';

// Where the build puts them beside this file's bundle, dist/node/main.js.
const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));

void runDesktop({
  startInspector,
  interfaceFolder: beside('../renderer'),
  preload: beside('../preload/preload.cjs'),
});
