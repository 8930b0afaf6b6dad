/** Gives cleanup, pin and stats a Lifecycle, which starts faster than a host: it does not read the sources. */

import { Lifecycle } from '../host/lifecycle/lifecycle.ts';
import { loadConfig } from '../host/settings/config.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { tell } from './output/print.ts';

/** Invalid settings are reported on standard error. */
export async function withLifecycle<T>(use: (lifecycle: Lifecycle) => Promise<T>): Promise<T> {
  const home = resolveHome(process.env);
  for (const warning of loadConfig(home).warnings) await tell(`spillway: ${warning}`);
  const lifecycle = new Lifecycle(home);
  try {
    return await use(lifecycle);
  } finally {
    await lifecycle.close();
  }
}
