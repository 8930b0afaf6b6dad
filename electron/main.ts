/** Electron's entry point: started by `electron . PATH…` and by a packaged Spillway. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askRunning } from './app/control.ts';
import { keepDebuggerShut } from './app/debugger.ts';
import { startInspector } from './app/start-host.ts';
import { version } from './app/version.ts';
import { installCommand, keepLauncher } from './connect/installed.ts';
import { resolveHome } from './host/settings/home-path.ts';
import { runDesktop } from './shell/desktop.ts';
import { lacksLoginPath, loginPath } from './shell/launch.ts';

keepDebuggerShut();

// The build puts these beside this file's bundle, in dist/node.
const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const isPackaged = /app\.asar[\\/]/.test(beside('.'));
/** In the package, other programs can't read inside the archive: the command has a copy of its own. */
const entry = beside('./cli.js').replace(/app\.asar(?=[\\/])/, 'command');

/** Returns what agents start. For a package it is a launcher in the home, which still works after the app has moved. */
function stableEntry(): string {
  if (!isPackaged) return entry;
  const appImage = process.env.APPIMAGE || null;
  try {
    return keepLauncher(resolveHome(), { version, entry, program: process.execPath, appImage });
  } catch {
    // The home can't be written to, which the host will say.
    return entry;
  }
}

void runDesktop({
  startInspector: async (options) => {
    // Before anything looks for a program: started from an icon, only the login shell knows where Node is.
    if (isPackaged && lacksLoginPath(process.env)) process.env.PATH = await loginPath(process.env);
    return startInspector({ ...options, entry: stableEntry() });
  },
  handOver: async (paths) =>
    (await askRunning(resolveHome(), { open: paths, for_browser: true }))?.url ?? null,
  interfaceFolder: beside('../renderer'),
  installCommand: isPackaged ? () => installCommand(resolveHome()) : null,
  version,
  icon: isPackaged
    ? join(process.resourcesPath, 'icon.png')
    : beside('../../electron/tooling/packaging/icons/32x32.png'),
  preload: beside('../preload/preload.cjs'),
});
