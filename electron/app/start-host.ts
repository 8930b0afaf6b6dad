/**
 * Starts an inspector: checks the home, takes the control socket (one inspector for each home), builds the host,
 * opens the paths, and opens the socket for agents.
 */
import { join } from 'node:path';
import type { Hello } from '../../shared/api/api.ts';
import type { MessageChannelEnd } from '../../shared/api/wire.ts';
import { ArtifactId } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { Settings } from '../../shared/settings.ts';
import type { ServedWebShell } from '../cli/services.ts';
import { clientsForWindow } from '../connect/connect.ts';
import { findProgram, placeFor } from '../connect/place.ts';
import { AgentJournal } from '../host/agents.ts';
import { createHost } from '../host/create.ts';
import type { ClientsApi, Host } from '../host/host.ts';
import { serveConnection } from '../host/serve.ts';
import { loadConfig } from '../host/settings/config.ts';
import { prepareHome } from '../host/settings/home.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { Commands } from '../mcp/commands/commands.ts';
import { httpToken, type McpHttp, serveMcpHttp } from '../mcp/http/serve.ts';
import { serveMcpSocket } from '../mcp/socket.ts';
import { serveControl } from './control.ts';
import { sayDefect } from './leave.ts';
import { version } from './version.ts';

/** How a browser gets to the page: by an address that is printed, or one that a browser is started with. */
type PageAddresses = Pick<ServedWebShell, 'url' | 'browserUrl'>;

interface Inspector {
  readonly host: Host;
  readonly hello: Hello;
  /** Address of MCP over HTTP, without its token; null when it is off. */
  readonly mcpHttpUrl: string | null;
  /** Serves one window until the window closes its end of the channel. */
  serve(end: MessageChannelEnd): void;
  /** Sets the page's addresses, for processes that ask the running inspector; null means a desktop window. */
  setPage(page: PageAddresses | null): void;
  /** Calls the listener with the settings of config.json, now and whenever they change. */
  watchSettings(listener: (settings: Settings) => void): void;
  /** Commands that agents run through this inspector now. They end with it. */
  commands(): string[];
  /** Number of connected agents; at least 1 while MCP is served over HTTP. */
  agents(): number;
  close(): Promise<void>;
}

interface InspectorOptions {
  home?: string;
  /** Absolute paths. The first artifact of the first path is shown. */
  paths: readonly string[];
  /** Agents may read the paths. */
  agents?: boolean | undefined;
  shell: 'electron' | 'web';
  /** Port of MCP over HTTP; overrides the setting `mcpHttp`. */
  mcpHttp?: number | undefined;
  /** Command that goes on recording background children after this process ends; null when there is none. */
  recorder?: readonly string[] | null;
  /** Path of Spillway's command, for agents to start. */
  entry: string;
}

/**
 * Throws `home` when the home is not private to this user, and `busy` when another process serves it. A bad path
 * throws in the browser shell; the desktop window shows the problem instead.
 */
export async function startInspector(options: InspectorOptions): Promise<Inspector> {
  const home = options.home ?? resolveHome();
  prepareHome(home);
  let page: PageAddresses | null = null;
  let started: () => void = () => {};
  const starting = new Promise<void>((resolve) => {
    started = resolve;
  });
  let ready: (host: Host) => void = () => {};
  const host = new Promise<Host>((resolve) => {
    ready = resolve;
  });
  const control = await serveControl({
    home,
    info: { pid: process.pid, version, shell: options.shell },
    onOpen: async ({ open, agents, for_browser: isForBrowser }) => {
      await openItems(await host, open, agents);
      return { url: isForBrowser ? (page?.browserUrl() ?? null) : (page?.url ?? null) };
    },
  });
  const closers: (() => Promise<unknown>)[] = [() => control.close()];
  let serveHttp: ServedAgents['serveHttp'] | null = null;
  const settingsListeners: ((settings: Settings) => void)[] = [];
  try {
    const made = await createHost({
      home,
      watch: true,
      publish: true,
      tidy: true,
      starting,
      clients: clientsAt(home, options),
      onSettings: (settings) => {
        void serveHttp?.(settings.mcpHttp);
        for (const listener of settingsListeners) listener(settings);
      },
    });
    closers.push(() => made.close());
    await openItems(made, options.paths, options.agents).catch((error) => {
      if (options.shell === 'web') throw error;
      made.notify({ type: 'message', text: toSpillwayError(error).message });
    });
    const agents = await serveAgents(made, home, options);
    closers.push(() => agents.close());
    ({ serveHttp } = agents);
    ready(made);
    const hello: Hello = {
      version,
      home,
      platform: process.platform,
      shell: options.shell,
      pid: process.pid,
      mcp_socket: agents.socketPath,
      warnings: [...made.warnings],
    };
    return {
      host: made,
      hello,
      mcpHttpUrl: agents.httpUrl(),
      serve: (end) => {
        serveConnection(end, made, hello, sayDefect);
        started();
      },
      setPage(next) {
        page = next;
        started();
      },
      watchSettings(listener) {
        settingsListeners.push(listener);
        listener(loadConfig(home).settings);
      },
      commands: agents.commands,
      agents: agents.count,
      close: () => closeAll(closers),
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** An agent starts the command with Node, which the desktop window is not. */
function clientsAt(home: string, { shell, entry }: InspectorOptions): ClientsApi {
  const node = shell === 'web' ? process.execPath : findProgram('node', process.env);
  const env = { ...process.env, SPILLWAY_HOME: home };
  return clientsForWindow(node === null ? null : placeFor([node, entry], env));
}

/** Opens paths and artifact ids, and shows the first. */
async function openItems(host: Host, items: readonly string[], agents?: boolean): Promise<void> {
  let shown = false;
  const show = (artifactId: string | undefined) => {
    if (artifactId === undefined || shown) return;
    host.notify({ type: 'show', artifact_id: artifactId });
    shown = true;
  };
  for (const item of items) {
    if (ArtifactId.safeParse(item).success) {
      // An unknown id throws, and the error names the nearest.
      show((await host.inspect({ artifact_id: item, lines: 1 })).artifact_id);
    } else {
      const [first] = await host.openPath({ path: item, agents });
      show(first?.artifact_id);
    }
  }
}

interface ServedAgents {
  socketPath: string | null;
  httpUrl(): string | null;
  /** Serves MCP over HTTP on this port, or stops if it is null. A port given at the start stays. */
  serveHttp(port: number | null): Promise<void>;
  count(): number;
  commands(): string[];
  close(): Promise<unknown>;
}

/** Opens the sockets for agents. Failures become warnings: the inspector works without agents. */
async function serveAgents(host: Host, home: string, options: InspectorOptions): Promise<ServedAgents> {
  const { mcpHttp } = loadConfig(home).settings;
  const runDir = join(home, 'run');
  const commands = new Commands({
    home,
    cwd: process.cwd(),
    env: process.env,
    recorder: options.recorder ?? null,
  });
  const journal = new AgentJournal(home);
  const agentMaker = async () => {
    const { createAgent } = await import('../mcp/agent.ts');
    return (given: { transport: 'socket' | 'http'; standsAlone?: boolean }) =>
      createAgent(host, { home, commands, journal, version, onDefect: sayDefect, ...given });
  };
  const openHttp = async (port: number) => {
    const [makeAgent, token] = await Promise.all([agentMaker(), httpToken(runDir)]);
    const createAgent = (given: { standsAlone: boolean }) => makeAgent({ transport: 'http', ...given });
    return serveMcpHttp({ port, token, createAgent, onDefect: sayDefect });
  };
  const attempt = async <T>(serving: Promise<T>): Promise<T | null> => {
    try {
      return await serving;
    } catch (error) {
      host.notify({ type: 'message', text: `Agents can't connect: ${toSpillwayError(error).message}` });
      return null;
    }
  };
  const socket = await attempt(
    serveMcpSocket({
      runDir,
      createAgent: async () => (await agentMaker())({ transport: 'socket' }),
      onDefect: sayDefect,
    }),
  );
  let port: number | null = null;
  let http: McpHttp | null = null;
  let serving: Promise<void> = Promise.resolve();
  const serveHttp = (wanted: number | null): Promise<void> => {
    serving = serving.then(async () => {
      const next = options.mcpHttp ?? wanted;
      if (next === port) return;
      port = next;
      await http?.close();
      http = port === null ? null : await attempt(openHttp(port));
    });
    return serving;
  };
  await serveHttp(mcpHttp);
  return {
    socketPath: socket?.path ?? null,
    httpUrl: () => http?.url ?? null,
    serveHttp,
    // HTTP has no connections to count, so an HTTP server counts as one agent.
    count: () => (socket?.clients() ?? 0) + (http === null ? 0 : 1),
    commands: () => commands.lines(),
    close: async () => {
      await Promise.allSettled([socket?.close(), http?.close()]);
      await commands.close();
      journal.close();
    },
  };
}

/** Closes in reverse order; a closer that fails does not stop the others. */
async function closeAll(closers: (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close().catch(() => {});
}
