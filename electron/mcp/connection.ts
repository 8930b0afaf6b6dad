/** One client of MCP: from its byte streams to a server of its own, in whichever protocol revision it opens with. */
import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpServer,
  type RequestId,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Agent } from './agent.ts';
import { subscribedUris } from './resources.ts';
import { cancelledId } from './transport/admission.ts';
import { LineTransport } from './transport/line-transport.ts';

/** Subscriptions one client may hold open. */
const MAX_SUBSCRIPTIONS = 16;

interface McpConnection {
  /**
   * Resolves when the client has disconnected, or has ended its input and got its replies, and the agent is closed.
   * Never rejects.
   */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

interface ClientStreams {
  input: Readable;
  output: Writable;
  /** Ids of requests in the input that were answered already. */
  answered?: ReadonlySet<RequestId> | undefined;
}

/** The caller ends the streams after `closed`. The agent is closed with the connection. */
export function serveClient(agent: Agent, streams: ClientStreams): McpConnection {
  let server: McpServer | null = null;
  const listening = new Listening(agent, (uri) => {
    void server?.server.sendResourceUpdated({ uri }).catch(() => {});
  });
  const transport = new LineTransport(streams.input, streams.output, {
    answered: streams.answered,
    observe: (message) => listening.observe(message),
  });
  const handle = serveStdio(
    () => {
      server = agent.createServer();
      return server;
    },
    { transport, maxSubscriptions: MAX_SUBSCRIPTIONS },
  );
  const closed = transport.closed.then(async () => {
    listening.close();
    await agent.close().catch(() => {});
  });
  return { closed, close: () => handle.close() };
}

/**
 * Tracks the resources that a 2026-07-28 client listens to: the SDK keeps its subscriptions and does not name the
 * resources.
 */
class Listening {
  readonly #agent: Agent;
  readonly #tell: (uri: string) => void;
  readonly #watches = new Map<RequestId, (() => void)[]>();

  constructor(agent: Agent, tell: (uri: string) => void) {
    this.#agent = agent;
    this.#tell = tell;
  }

  observe(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && message.method === 'subscriptions/listen') {
      if (this.#watches.size >= MAX_SUBSCRIPTIONS || this.#watches.has(message.id)) return;
      const uris = subscribedUris(message);
      this.#watches.set(
        message.id,
        uris.map((uri) => this.#agent.watch(uri, () => this.#tell(uri))),
      );
    }
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) this.#end(cancelled);
  }

  close(): void {
    for (const id of [...this.#watches.keys()]) this.#end(id);
  }

  #end(id: RequestId): void {
    for (const unwatch of this.#watches.get(id) ?? []) unwatch();
    this.#watches.delete(id);
  }
}
