/** Gives cleanup, pin and stats a Lifecycle, which starts faster than a host: it does not read the sources. */

import { Lifecycle } from '../host/lifecycle/lifecycle.ts';
import { loadConfig } from '../host/settings/config.ts';
import { checkIsFolder } from '../host/settings/home.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { tell } from './output/print.ts';

/** Invalid settings are reported on standard error. */
export async function withLifecycle<T>(use: (lifecycle: Lifecycle) => Promise<T>): Promise<T> {
  const home = resolveHome(process.env);
  checkIsFolder(home);
  for (const warning of loadConfig(home).warnings) await tell(`spillway: ${warning}`);
  const lifecycle = new Lifecycle(home);
  try {
    return await use(lifecycle);
  } finally {
    await lifecycle.close();
  }
}
