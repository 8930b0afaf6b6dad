/** `spillway mcp`: MCP for the client that started this process. Standard output carries the protocol and nothing else. */
import { Console } from 'node:console';
import { loadConfig } from '../host/config.ts';
import { createHost } from '../host/create.ts';
import { prepareHome, resolveHome } from '../host/home.ts';
import { serveMcpStdio } from '../mcp/stdio.ts';
import { tell } from './print.ts';
import type { Services } from './services.ts';

export async function mcp(services: Services): Promise<number> {
  // A stray message of some library would end the client's connection.
  globalThis.console = new Console(process.stderr);
  const home = resolveHome(process.env);
  prepareHome(home);
  const host = await createHost({ home, watch: true, threads: 1 });
  if (process.stdin.isTTY)
    await tell('spillway: waiting for an MCP client on standard input; Ctrl-D ends it');
  for (const warning of host.warnings) await tell(`spillway: ${warning}`);
  try {
    await serveMcpStdio(host, {
      version: services.version,
      maxReplyChars: loadConfig(home).settings.maxReplyChars,
      onDefect: (error) => void tell(`spillway: ${error instanceof Error ? error.stack : String(error)}`),
    });
  } finally {
    await host.close();
  }
  return 0;
}
