/** MCP on standard input and output, for the client that started this process. */
import type { Host } from '../host/host.ts';
import { serveConnection } from './connection.ts';
import type { McpServerOptions } from './server.ts';

/** Resolves at the end of input, when everything asked for has been answered; and when the client has gone. */
export async function serveMcpStdio(host: Host, options: McpServerOptions): Promise<void> {
  const connection = serveConnection(host, { input: process.stdin, output: process.stdout }, options);
  await connection.closed;
}
