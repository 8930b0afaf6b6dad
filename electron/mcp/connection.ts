/** One client of MCP: from its byte streams to a server of its own, in whichever protocol revision it opens with. */
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Host } from '../host/host.ts';
import { createMcpServer, type McpServerOptions } from './server.ts';
import { LineTransport } from './transport/line-transport.ts';

/** Subscriptions one client may hold open. */
const MAX_SUBSCRIPTIONS = 16;

export interface McpConnection {
  /** Resolves when the client has gone, or has ended its input and been answered. Never rejects. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Whoever made the streams ends them after `closed`. */
export function serveConnection(
  host: Host,
  streams: { input: Readable; output: Writable },
  options: McpServerOptions,
): McpConnection {
  const transport = new LineTransport(streams.input, streams.output);
  const handle = serveStdio(() => createMcpServer(host, options), {
    transport,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });
  return { closed: transport.closed, close: () => handle.close() };
}
