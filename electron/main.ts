/** Electron's entry point: started by `electron . PATH…` and by a packaged Spillway. */
import { fileURLToPath } from 'node:url';
import { askRunning } from './app/control.ts';
import { keepDebuggerShut } from './app/debugger.ts';
import { startInspector } from './app/start-host.ts';
import { version } from './app/version.ts';
import { resolveHome } from './host/settings/home-path.ts';
import { runDesktop } from './shell/desktop.ts';

keepDebuggerShut();

// The build puts these beside this file's bundle, in dist/node.
const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** In the package, other programs can't read inside the archive. */
const entry = beside('./cli.js').replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');

void runDesktop({
  startInspector: (options) => startInspector({ ...options, entry }),
  handOver: async (paths) =>
    (await askRunning(resolveHome(), { open: paths, for_browser: true }))?.url ?? null,
  interfaceFolder: beside('../renderer'),
  version,
  preload: beside('../preload/preload.cjs'),
});
