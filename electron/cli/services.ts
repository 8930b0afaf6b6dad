/** The parts of Spillway that the entry point passes to commands, which may not import them. */
import type { Hello } from '../../shared/api/api.ts';
import type { Host } from '../host/host.ts';
import type { Config } from '../host/settings/config.ts';
import type { Opening } from '../mcp/answer-opening.ts';

export interface ServedInspector {
  readonly host: Host;
  readonly hello: Hello;
  /** Address of MCP over HTTP, without its token; null when it is off. */
  readonly mcpHttpUrl: string | null;
  /** Sets the page's addresses, for processes that ask the running inspector. */
  setPage(page: Pick<ServedWebShell, 'url' | 'browserUrl'> | null): void;
  /** Number of connected agents; at least 1 while MCP is served over HTTP. */
  agents(): number;
  close(): Promise<void>;
}

export interface ServedWebShell {
  /** The address to print, with a token that was not used yet. */
  readonly url: string;
  readonly port: number;
  /** An address to start a browser with: good once. */
  browserUrl(): string;
  /** Number of pages that show it. */
  windows(): number;
  close(): Promise<void>;
}

export interface SignalEnd {
  signal: NodeJS.Signals;
  withGroup: boolean;
}

/** The services that `run` needs. */
export interface RunServices {
  /** Returns the home's settings, with warnings about invalid ones. */
  config(home: string): Config;
  /** Command that runs `recordOn` in another process. */
  readonly recorder: readonly string[];
  /**
   * Ends this process by a signal after cleanup: after Ctrl-C, a shell stops its loop only if a process died of the
   * signal. `withGroup` signals the whole process group, as Ctrl-C at the keyboard does.
   */
  leaveBy(end: SignalEnd): void;
  /** Returns the command line that starts this command with the given arguments. */
  own(...args: string[]): [string, ...string[]];
}

export interface Services extends RunServices {
  readonly version: string;
  /** Path of this command's file. */
  readonly entry: string;
  /** An MCP client's first messages, if they were answered before Spillway was loaded; else null. */
  readonly opening: Opening | null;
  /** Starts the host, the MCP socket and the control socket. Throws `busy` when another process holds the home. */
  startInspector(options: {
    home: string;
    paths: readonly string[];
    /** Agents may read the paths. */
    agents?: boolean | undefined;
    /** Port of MCP over HTTP; overrides the setting. */
    mcpHttp?: number | undefined;
  }): Promise<ServedInspector>;
  /** Serves the interface to browsers. `port` 0 takes any free one; by default, the home's own if it is free. */
  startWebShell(options: { inspector: ServedInspector; port?: number | undefined }): Promise<ServedWebShell>;
  /** Asks the inspector that serves this home; resolves with null when none does. */
  askRunning(
    home: string,
    request: { open: string[]; agents?: boolean; for_browser?: boolean },
  ): Promise<RunningInspector | null>;
}

export interface RunningInspector {
  readonly pid: number;
  readonly shell: 'electron' | 'web';
  /** Address of its page, to print or `for_browser`; null when it is a desktop window, or not ready yet. */
  readonly url: string | null;
}
