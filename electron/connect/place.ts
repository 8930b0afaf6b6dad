/** Finds out what connecting needs to know of this machine. */
import { resolveHome } from '../host/settings/home-path.ts';
import { userFolder } from '../host/settings/user-folder.ts';
import type { Place } from './connect.ts';

/** `command`: Node, and the path of Spillway's command. */
export function placeFor(command: Place['command'], env: NodeJS.ProcessEnv): Place {
  const home = resolveHome(env);
  const { SPILLWAY_HOME: _, XDG_STATE_HOME: __, ...rest } = env;
  return {
    machine: { env, folder: userFolder(), platform: process.platform },
    ...{ home, command },
    // The server finds the default home itself.
    env: resolveHome(rest) === home ? {} : { SPILLWAY_HOME: home },
  };
}
