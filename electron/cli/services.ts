/** The parts of Spillway that the entry point passes to commands, which may not import them. */
import type { Hello } from '../../shared/api/api.ts';
import type { Host } from '../host/host.ts';
import type { Config } from '../host/settings/config.ts';
import type { Opening } from '../mcp/opening/answer-opening.ts';

export interface Inspector {
  readonly host: Host;
  readonly hello: Hello;
  /** Where MCP is served over HTTP, without its token; null where it is not. */
  readonly mcpHttpUrl: string | null;
  /** The interface's URL, for processes that ask the running inspector. */
  setUrl(url: string | null): void;
  /** Agents that are connected now. While MCP is served over HTTP, at least one. */
  agents(): number;
  close(): Promise<void>;
}

export interface WebShell {
  readonly url: string;
  readonly port: number;
  /** Pages that show it now. */
  windows(): number;
  close(): Promise<void>;
}

export interface SignalEnd {
  signal: 'SIGINT';
  withGroup: boolean;
}

/** What `run` needs of them. */
export interface RunServices {
  /** The settings of the home, and what is not understood in them. */
  config(home: string): Config;
  /** Starts `recordOn` in a process of its own. */
  readonly recorder: readonly string[];
  /**
   * Once all is done, this process ends by a signal: a shell's loop goes on behind Ctrl-C where nobody died of it.
   * `withGroup`: so do those in its process group that do not handle it, who would have heard the key.
   */
  leaveBy(end: SignalEnd): void;
}

export interface Services extends RunServices {
  readonly version: string;
  /** The file that is this command. */
  readonly entry: string;
  /** What an MCP client opened with, where that was answered before anything was loaded. */
  readonly opening: Opening | null;
  /** Returns what starts this command with arguments, in another process. */
  own(...args: string[]): [string, ...string[]];
  /** Host, MCP socket and control socket. Throws `busy` when another process holds the home. */
  startInspector(options: {
    home: string;
    paths: readonly string[];
    /** Port of MCP over HTTP, instead of the setting. */
    mcpHttp?: number | undefined;
  }): Promise<Inspector>;
  /** The interface in the browser. `port` 0 takes any free one. */
  startWebShell(options: { inspector: Inspector; port: number }): Promise<WebShell>;
  /** Asks the inspector that runs on this home; null when none does. */
  askRunning(home: string, request: { open: string[] }): Promise<RunningInspector | null>;
}

export interface RunningInspector {
  readonly pid: number;
  readonly shell: 'electron' | 'web';
  /** Where its interface is; null when that is a window of its own, or is not ready yet. */
  readonly url: string | null;
}
