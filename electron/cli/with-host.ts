/** A host of this process's own, for as long as one command needs it. */
import { createHost } from '../host/create.ts';
import type { Host } from '../host/host.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { tell } from './output/print.ts';

export interface HostNeeds {
  /** Threads are started: an expression that never ends can only be ended in one. */
  search?: boolean;
}

/** Nothing is watched, nothing made in the home. Its warnings are told on standard error. */
export async function withHost<T>(use: (host: Host) => Promise<T>, needs: HostNeeds = {}): Promise<T> {
  const threads = needs.search ? {} : { threads: 0 };
  const host = await createHost({ home: resolveHome(process.env), watch: false, ...threads });
  try {
    for (const warning of host.warnings) await tell(`spillway: ${warning}`);
    return await use(host);
  } finally {
    await host.close();
  }
}
