/** Describes this machine and this Spillway, for connecting clients. */
import type { RecordMode } from '../../shared/agents.ts';
import type { Machine, Wanted } from '../agents/client.ts';
import { NO_DEBUGGER } from '../host/no-debugger.ts';
import { loginShell, resolveHome, userFolder } from '../host/settings/home-path.ts';

export interface ConnectContext {
  machine: Machine;
  home: string;
  /** Starts Spillway's command: Node, and the command's file. */
  command: readonly [string, string];
  /** Environment variables that servers need besides the usual ones. */
  env: Record<string, string>;
}

/** `command`: Node, and the path of Spillway's command. */
export function placeFor(command: ConnectContext['command'], env: NodeJS.ProcessEnv): ConnectContext {
  const home = resolveHome(env);
  const { SPILLWAY_HOME: _, XDG_STATE_HOME: __, ...rest } = env;
  return {
    machine: { env, folder: userFolder(), loginShell: loginShell(), platform: process.platform },
    ...{ home, command },
    // The server finds the default home itself.
    env: resolveHome(rest) === home ? {} : { SPILLWAY_HOME: home },
  };
}

/** Returns what a connection needs that gives the client Spillway's server, and records as `record` says. */
export function wantedFor({ command, env, home }: ConnectContext, record: RecordMode | null): Wanted {
  const [node, entry] = command;
  const started = [node, ...NO_DEBUGGER, entry] as const;
  return {
    server: [...started, 'mcp'],
    proxy: [...started, 'proxy', '--'],
    ...{ env, home, record, serves: true, proxied: [] },
  };
}
