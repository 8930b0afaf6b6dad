/** Finds out what connecting needs to know of this machine. */
import { resolveHome } from '../host/settings/home-path.ts';
import { userFolder } from '../host/settings/user-folder.ts';
import type { ConnectContext } from './connect.ts';

/** `command`: Node, and the path of Spillway's command. */
export function placeFor(command: ConnectContext['command'], env: NodeJS.ProcessEnv): ConnectContext {
  const home = resolveHome(env);
  const { SPILLWAY_HOME: _, XDG_STATE_HOME: __, ...rest } = env;
  return {
    machine: { env, folder: userFolder(), platform: process.platform },
    ...{ home, command },
    // The server finds the default home itself.
    env: resolveHome(rest) === home ? {} : { SPILLWAY_HOME: home },
  };
}
