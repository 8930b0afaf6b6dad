/** MCP on standard input and output, for the client that started this process. */
import type { Agent } from './agent.ts';
import { serveClient } from './connection.ts';
import type { Opening } from './opening/answer-opening.ts';
import { onReaderGone } from './reader-gone.ts';

/**
 * Resolves at the end of input, when everything asked for has been answered; and when the client has gone, or reads
 * no more.
 */
export async function serveMcpStdio(agent: Agent, opening: Opening | null): Promise<void> {
  const { input, answered } = opening ?? { input: process.stdin };
  const connection = serveClient(agent, { input, output: process.stdout, answered });
  let stopWatching = () => {};
  const watch = () => {
    stopWatching = onReaderGone(() => void connection.close());
  };
  input.once('end', watch);
  await connection.closed;
  input.off('end', watch);
  stopWatching();
}
