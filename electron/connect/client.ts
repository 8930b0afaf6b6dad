/** What is known of an agent: where its configuration is, and what Spillway writes there. */
import type { BashAgent, RecordMode } from '../agent-shell/program.ts';
import type { Format, Path } from './edit/format.ts';

/** What a client is connected with. */
export interface Wanted {
  /** Starts Spillway's MCP server: a program and its arguments. */
  server: readonly [string, ...string[]];
  /** What the server needs in its environment, beyond what every program has. */
  env: Record<string, string>;
  home: string;
  record: RecordMode | null;
}

export interface Setting {
  path: Path;
  value: unknown;
  /** One more item of a list, where the rest is the person's. */
  isItem?: boolean;
  /** Whose value differs is somebody else's, and is not replaced. `what` is what it is for. */
  keeps?: string;
}

export interface ConfigFile {
  /** Absolute. */
  path: string;
  format: Format;
  settings: Setting[];
}

export interface Recording {
  /** How the client's shell is led to the recorder. */
  way: { bashEnv: BashAgent } | { shell: string };
  /** What is not recorded, or what a person still has to do; a sentence. */
  note?: (home: string) => string;
}

export interface Machine {
  env: NodeJS.ProcessEnv;
  /** The person's own folder. */
  folder: string;
  platform: NodeJS.Platform;
}

export interface Client {
  id: string;
  /** As people call it. */
  name: string;
  /** Its command; null for an application. */
  command: string | null;
  /** Folders and files that are there when it is installed. */
  traces(machine: Machine): string[];
  files(machine: Machine, wanted: Wanted): ConfigFile[];
  /** Null where nothing of its shell can be recorded; `why` then says so. */
  recording: Recording | { why: string };
  /** Arguments of the client's own list of servers, and how a line of it says that ours answered. */
  list?: readonly string[];
}

/** As most clients write a server. */
export function plainServer({ server: [command, ...args], env }: Wanted): Record<string, unknown> {
  return { command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
}
