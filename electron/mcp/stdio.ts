/** MCP on standard input and output, for the client that started this process. */
import type { Agent } from './agent.ts';
import { serveClient } from './connection.ts';

/** Resolves at the end of input, when everything asked for has been answered; and when the client has gone. */
export async function serveMcpStdio(agent: Agent): Promise<void> {
  const connection = serveClient(agent, { input: process.stdin, output: process.stdout });
  await connection.closed;
}
