/** Gives a command a host of its own for as long as it needs it. */
import { createHost } from '../host/create.ts';
import type { Host } from '../host/host.ts';
import { checkIsFolder } from '../host/settings/home.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { tell } from './output/print.ts';

interface HostNeeds {
  /** Starts threads (threads.ts); else the command's own thread does all work. */
  threads?: boolean;
}

/** Runs `use` with a host that watches nothing and does not set up the home. Warnings go to standard error. */
export async function withHost<T>(use: (host: Host) => Promise<T>, needs: HostNeeds = {}): Promise<T> {
  const home = resolveHome(process.env);
  checkIsFolder(home);
  const threads = needs.threads ? {} : { threads: 0 };
  const host = await createHost({ home, watch: false, ...threads });
  try {
    for (const warning of host.warnings) await tell(`spillway: ${warning}`);
    return await use(host);
  } finally {
    await host.close();
  }
}
