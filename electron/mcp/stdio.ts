/** MCP on standard input and output, for the client that started this process. */
import type { Agent } from './agent.ts';
import { serveClient } from './connection.ts';
import type { Opening } from './opening/answer-opening.ts';

/** Resolves at the end of input, when everything asked for has been answered; and when the client has gone. */
export async function serveMcpStdio(agent: Agent, opening: Opening | null): Promise<void> {
  const { input, answered } = opening ?? { input: process.stdin };
  const connection = serveClient(agent, { input, output: process.stdout, answered });
  await connection.closed;
}
