/**
 * Starts an inspector: the home is checked, the control socket taken (one inspector a home), the host built, the
 * paths opened, and the socket for agents opened.
 */
import { join } from 'node:path';
import type { Hello } from '../../shared/api/api.ts';
import type { MessageChannelEnd } from '../../shared/api/messages.ts';
import { ArtifactId } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { loadConfig } from '../host/config.ts';
import { createHost } from '../host/create.ts';
import { prepareHome, resolveHome } from '../host/home.ts';
import type { Host } from '../host/host.ts';
import { serveConnection } from '../host/serve.ts';
import { type McpSocket, serveMcpSocket } from '../mcp/socket.ts';
import { serveControl } from './control.ts';
import { sayDefect } from './say-defect.ts';
import { version } from './version.ts';

export interface Inspector {
  readonly host: Host;
  readonly hello: Hello;
  /** Serves one window until its end of the channel closes. */
  serve(end: MessageChannelEnd): void;
  /** Where the interface is, for those who ask the running inspector to open something; null is a window of its own. */
  setUrl(url: string | null): void;
  close(): Promise<void>;
}

export interface InspectorOptions {
  home?: string;
  /** Absolute. The first artifact of the first is shown. */
  paths: readonly string[];
  shell: 'electron' | 'web';
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
    const made = await createHost({ home, watch: true, publish: true });
    closers.push(() => made.close());
    await openItems(made, options.paths).catch((error) => {
      if (options.shell === 'web') throw error;
      made.notify({ type: 'message', text: toSpillwayError(error).message });
    });
    const mcp = await serveAgents(made, home);
    if (mcp) closers.push(() => mcp.close());
    ready(made);
    const hello: Hello = {
      version,
      home,
      platform: process.platform,
      shell: options.shell,
      pid: process.pid,
      mcp_socket: mcp?.path ?? null,
      warnings: [...made.warnings],
    };
    return {
      host: made,
      hello,
      serve: (end) => serveConnection(end, made, hello, sayDefect),
      setUrl(next) {
        url = next;
      },
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

/** An inspector without its agents is still one: what stands in the way becomes a warning. */
async function serveAgents(host: Host, home: string): Promise<McpSocket | null> {
  try {
    const { maxReplyChars } = loadConfig(home).settings;
    return await serveMcpSocket({
      host,
      runDir: join(home, 'run'),
      version,
      maxReplyChars,
      onDefect: sayDefect,
    });
  } catch (error) {
    host.notify({ type: 'message', text: `Agents can't connect: ${toSpillwayError(error).message}` });
    return null;
  }
}

/** Last opened, first closed; one that fails does not keep the others open. */
async function closeAll(closers: (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close().catch(() => {});
}
