/**
 * Starts an inspector: the home is checked, the control socket taken (one inspector a home), the host built, the
 * paths opened, and the socket for agents opened.
 */
import { join } from 'node:path';
import type { Hello } from '../../shared/api/api.ts';
import type { MessageChannelEnd } from '../../shared/api/messages.ts';
import { ArtifactId } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { AgentJournal } from '../host/agents.ts';
import { createHost } from '../host/create.ts';
import type { Host } from '../host/host.ts';
import { serveConnection } from '../host/serve/serve.ts';
import { loadConfig } from '../host/settings/config.ts';
import { prepareHome } from '../host/settings/home.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { createAgent } from '../mcp/agent.ts';
import { Commands } from '../mcp/commands/commands.ts';
import { type McpHttp, serveMcpHttp } from '../mcp/http/serve.ts';
import { httpToken } from '../mcp/http/token.ts';
import { serveMcpSocket } from '../mcp/socket.ts';
import { serveControl } from './control.ts';
import { sayDefect } from './say-defect.ts';
import { version } from './version.ts';

export interface Inspector {
  readonly host: Host;
  readonly hello: Hello;
  /** Where MCP is served over HTTP, without its token; null where it is not. */
  readonly mcpHttpUrl: string | null;
  /** Serves one window until its end of the channel closes. */
  serve(end: MessageChannelEnd): void;
  /** Where the interface is, for those who ask the running inspector to open something; null is a window of its own. */
  setUrl(url: string | null): void;
  /** Agents that are connected now. While MCP is served over HTTP, at least one. */
  agents(): number;
  close(): Promise<void>;
}

export interface InspectorOptions {
  home?: string;
  /** Absolute. The first artifact of the first is shown. */
  paths: readonly string[];
  shell: 'electron' | 'web';
  /** Port of MCP over HTTP, instead of the setting `mcpHttp`. */
  mcpHttp?: number | undefined;
  /** Starts the recorder for background children of agents' commands, when this process has ended; null where there is none. */
  recorder?: readonly string[] | null;
}

/**
 * Throws `home` when the home is not private to this user, `busy` when another process serves it, and in the browser
 * shell what is wrong with a path; the desktop window shows that instead.
 */
export async function startInspector(options: InspectorOptions): Promise<Inspector> {
  const home = options.home ?? resolveHome();
  prepareHome(home);
  let url: string | null = null;
  let ready: (host: Host) => void = () => {};
  const host = new Promise<Host>((resolve) => {
    ready = resolve;
  });
  const control = await serveControl({
    home,
    info: { pid: process.pid, version, shell: options.shell },
    onOpen: async (items) => {
      await openItems(await host, items);
      return { url };
    },
  });
  const closers: (() => Promise<unknown>)[] = [() => control.close()];
  try {
    const made = await createHost({ home, watch: true, publish: true, tidy: true });
    closers.push(() => made.close());
    await openItems(made, options.paths).catch((error) => {
      if (options.shell === 'web') throw error;
      made.notify({ type: 'message', text: toSpillwayError(error).message });
    });
    const agents = await serveAgents(made, home, options);
    closers.push(() => agents.close());
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
      mcpHttpUrl: agents.httpUrl,
      serve: (end) => serveConnection(end, made, hello, sayDefect),
      setUrl(next) {
        url = next;
      },
      agents: agents.count,
      close: () => closeAll(closers),
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** Opens paths and artifact ids, and shows the first. */
async function openItems(host: Host, items: readonly string[]): Promise<void> {
  let shown = false;
  const show = (artifactId: string | undefined) => {
    if (artifactId === undefined || shown) return;
    host.notify({ type: 'show', artifact_id: artifactId });
    shown = true;
  };
  for (const item of items) {
    if (ArtifactId.safeParse(item).success) {
      // Throws for an id that is not known, and names the nearest.
      show((await host.inspect({ artifact_id: item, lines: 1 })).artifact_id);
    } else {
      const [first] = await host.openPath(item);
      show(first?.artifact_id);
    }
  }
}

interface ServedAgents {
  socketPath: string | null;
  httpUrl: string | null;
  count(): number;
  close(): Promise<unknown>;
}

/** An inspector without its agents is still one: what stands in the way becomes a warning. */
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
  const agent = (given: { transport: 'socket' | 'http'; standsAlone?: boolean }) =>
    createAgent(host, { home, commands, journal, version, onDefect: sayDefect, ...given });
  const attempt = async <T>(serving: Promise<T>): Promise<T | null> => {
    try {
      return await serving;
    } catch (error) {
      host.notify({ type: 'message', text: `Agents can't connect: ${toSpillwayError(error).message}` });
      return null;
    }
  };
  const socket = await attempt(serveMcpSocket({ runDir, createAgent: () => agent({ transport: 'socket' }) }));
  const port = options.mcpHttp ?? mcpHttp;
  const http: McpHttp | null =
    port === null
      ? null
      : await attempt(
          httpToken(runDir).then((token) =>
            serveMcpHttp({
              port,
              token,
              createAgent: (given) => agent({ transport: 'http', ...given }),
              onDefect: sayDefect,
            }),
          ),
        );
  return {
    socketPath: socket?.path ?? null,
    httpUrl: http?.url ?? null,
    // HTTP has requests and no connections: a server that was asked for is in use.
    count: () => (socket?.clients() ?? 0) + (http === null ? 0 : 1),
    close: async () => {
      await Promise.allSettled([socket?.close(), http?.close()]);
      await commands.close();
      journal.close();
    },
  };
}

/** Last opened, first closed; one that fails does not keep the others open. */
async function closeAll(closers: (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close().catch(() => {});
}
