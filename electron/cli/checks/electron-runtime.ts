/** Checks for a desktop window without loading the `electron` package, which would start a download. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Check, ok, warn } from './check.ts';

/** `entry`: the command's own file; packages are looked up from its folder. */
export function checkElectron(entry: string, env: NodeJS.ProcessEnv): Check {
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return noWindow('there is no display');
  const path = runtimeOf(entry, env);
  if (path === null) return noWindow('the Electron runtime is not installed');
  try {
    accessSync(path, constants.X_OK);
    return ok('window', `the desktop window runs with ${path}`);
  } catch {
    return noWindow(`there is no Electron runtime at ${path}`);
  }
}

/** Returns the executable's path as the package records it; null without a package or a runtime. */
function runtimeOf(entry: string, env: NodeJS.ProcessEnv): string | null {
  try {
    const folder = dirname(createRequire(entry).resolve('electron/package.json'));
    const name = readFileSync(join(folder, 'path.txt'), 'utf8').trim();
    return join(env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), name);
  } catch {
    return null;
  }
}

function noWindow(found: string): Check {
  return warn('window', `no desktop window: ${found}`, 'the browser shows the same: spillway serve --open');
}
