/** Declares what `connect` does to a client: where its configuration is, and what Spillway writes there. */
import { dirname, join } from 'node:path';
import type { RecordMode } from '../../shared/agents.ts';
import type { Format, Path } from './formats/format.ts';

/** The name of Spillway's server in every configuration. */
export const SERVER_NAME = 'spillway';

/** Where a file has its servers, and how it writes one. */
interface ServerTables {
  /** Paths of the objects that map a server's name to its entry. */
  at(root: unknown): Path[];
  /**
   * `plain`: `command` and `args`; `list`: one list for both, variables in `environment`; `transport`: as `plain`, but
   * perhaps in an object `transport`.
   */
  form: 'plain' | 'list' | 'transport';
}

/** Parameters of a connection to a client. */
export interface Wanted {
  /** Command line that starts Spillway's MCP server. */
  server: readonly [string, ...string[]];
  /** Command line that starts the proxy, up to the server's own. */
  proxy: readonly [string, ...string[]];
  /** Environment variables that the server needs besides the usual ones. */
  env: Record<string, string>;
  home: string;
  record: RecordMode | null;
  /** False: the client gets no server of Spillway, only the proxy before servers of its own. */
  serves: boolean;
  /** Names of the client's servers that stand behind the proxy. */
  proxied: readonly string[];
}

export interface Setting {
  path: Path;
  value: unknown;
  /** Adds one item to a list and keeps the user's items. */
  isItem?: boolean;
  /** The item that an earlier version added in its place. */
  former?: string;
  /** Names a different value that the user may have set, for an error: connecting never replaces it. */
  keeps?: string;
}

export interface ConfigFile {
  /** Absolute path. */
  path: string;
  format: Format;
  settings: Setting[];
  /** The MCP servers in it; absent where it has none. */
  servers?: ServerTables;
}

interface ShellRecording {
  /** How the client's shell starts the recorder. */
  way: { bashEnv: string } | { shell: string };
  /** Says which commands are recorded, if not all are: the end of a sentence that begins with `its commands are recorded`. */
  limit?: (home: string) => string;
  /** Its commands run in a sandbox, which lets them write only to a folder for their captures. */
  isSandboxed?: boolean;
  /**
   * Returns what in the client's configuration keeps its shell from the recorder; null if nothing does. `read` returns
   * the text of a file, null where there is none, and may throw.
   */
  obstacle?: (machine: Machine, read: (path: string) => string | null) => string | null;
  /** Returns what to do about a setting of a project's folder that does; null if none does. */
  obstacleIn?: (folder: string) => string | null;
}

export interface Machine {
  env: NodeJS.ProcessEnv;
  /** The shell of the user's account; null if that is not known. */
  loginShell: string | null;
  /** The user's home directory. */
  folder: string;
  platform: NodeJS.Platform;
}

export interface Client {
  id: string;
  /** Display name. */
  name: string;
  /** Name of its command; null for an application. */
  command: string | null;
  /** Returns folders and files that exist when it is installed. */
  traces(machine: Machine): string[];
  files(machine: Machine, wanted: Wanted): ConfigFile[];
  /** How its commands are recorded, or why they can't be. */
  recording: ShellRecording | { why: string };
}

/** Returns a server's entry in the form most clients use. */
export function plainServer({ server: [command, ...args], env }: Wanted): Record<string, unknown> {
  return { command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
}

/** What an agent declares: the registry adds its id and its name, which an application may have of its own. */
export type AgentClient = Omit<Client, 'id' | 'name'> & { name?: string };

/** Returns tables at one fixed path, for most clients. */
export function serversAt(...path: string[]): ServerTables {
  return { at: () => [path], form: 'plain' };
}

/** Returns the path that BASH_ENV gets for the agent. */
export function bashEntryPath(home: string, agent: string): string {
  return join(home, 'bin', 'agents', `${agent}.bash`);
}

/** Returns the home of a path that `bashEntryPath` gave, now or in an earlier version; null for other values. */
export function homeOfBashEntry(path: unknown): string | null {
  if (typeof path !== 'string' || !/\/bin\/agents\/[\w-]+\.bash$/.test(path)) return null;
  return dirname(dirname(dirname(path)));
}

export function spillwayShellPath(home: string): string {
  return join(home, 'bin', 'spillway-shell');
}

export const ONLY_BASH = 'and only commands in bash can be recorded';

/** Returns the system's folder for an application's data. */
export function applicationFolder({ folder, env, platform }: Machine, name: string): string {
  if (platform === 'darwin') return join(folder, 'Library', 'Application Support', name);
  if (platform === 'win32') return join(env.APPDATA ?? join(folder, 'AppData', 'Roaming'), name);
  return join(env.XDG_CONFIG_HOME ?? join(folder, '.config'), name);
}
