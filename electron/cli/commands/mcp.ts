/** `spillway mcp`: serves the MCP client that started this process. Standard output carries only the protocol. */
import { Console } from 'node:console';
import { AgentJournal } from '../../host/agents.ts';
import { createHost } from '../../host/create.ts';
import { prepareHome } from '../../host/settings/home.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { createAgent } from '../../mcp/agent.ts';
import { Commands } from '../../mcp/commands/commands.ts';
import { serveMcpStdio } from '../../mcp/connection.ts';
import { tell } from '../output/print.ts';
import type { Services } from '../services.ts';
import { untilSignalled } from '../with-host.ts';

export interface McpOptions {
  session?: string;
  ephemeral?: boolean;
  /** False with `--no-run`. */
  run: boolean;
}

/** The client waits for the first answers, so cleanup starts later. */
const TIDY_AFTER_MS = 2000;

export async function mcp(options: McpOptions, services: Services): Promise<number> {
  // A library that prints to stdout would break the client's connection.
  globalThis.console = new Console(process.stderr);
  const home = resolveHome(process.env);
  prepareHome(home);
  const host = await createHost({ home, watch: true, threads: 1, tidy: TIDY_AFTER_MS });
  if (process.stdin.isTTY)
    await tell('spillway: waiting for an MCP client on standard input; Ctrl-D ends it');
  for (const warning of host.warnings) await tell(`spillway: ${warning}`);
  const commands = new Commands({
    home,
    cwd: process.cwd(),
    env: process.env,
    recorder: services.recorder,
  });
  const journal = new AgentJournal(home);
  const agent = createAgent(host, {
    home,
    journal,
    transport: 'stdio',
    commands: options.run ? commands : null,
    session: options.session ?? process.env.SPILLWAY_SESSION,
    ephemeral: options.ephemeral,
    version: services.version,
    onDefect: (error) => void tell(`spillway: ${error instanceof Error ? error.stack : String(error)}`),
  });
  const signalled = untilSignalled();
  try {
    await Promise.race([serveMcpStdio(agent, services.opening), signalled]);
  } finally {
    // The agent's commands end with its connection.
    await agent.close();
    journal.close();
    await host.close();
  }
  return 0;
}
