/** `spillway proxy`: starts an MCP server, forwards between it and its client, and ends as the server ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SpillwayError } from '../../../shared/errors.ts';
import { escapeControls } from '../../../shared/text/escape.ts';
import { commandLabel } from '../../host/recording/run-request.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { McpProxy } from '../../mcp/proxy/proxy.ts';
import { forwardSignals, shellStatus } from '../../recorder/command/command-handle.ts';
import { currentFolder, findCommand } from '../../recorder/command/find-command.ts';
import { isInForeground } from '../../recorder/terminal/foreground.ts';
import { tell } from '../output/print.ts';
import type { Services } from '../services.ts';

export interface ProxyCommandOptions {
  /** Characters. */
  threshold?: number;
}

/** Interval at which the pipe of an ended server is checked for remaining bytes. */
const CHECK_EVERY_MS = 50;
/** The pipe counts as drained after so many empty checks in a row. */
const EMPTY_CHECKS = 3;
/** A terminal sends these to the whole process group, so the server gets them without the proxy. */
const KEYS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/**
 * Returns the server's exit status; 127: not found, 126: not executable. If a signal ends the server, it ends
 * the proxy.
 */
export async function proxy(
  words: readonly string[],
  options: ProxyCommandOptions,
  services: Services,
): Promise<number> {
  const [command, ...args] = words;
  if (command === undefined) {
    const todo = 'give its command after --, as in `spillway proxy -- npx some-server`';
    throw new SpillwayError('usage', 'proxy needs a server', todo);
  }
  const say = (sentence: string) => tell(`spillway: ${escapeControls(sentence)}`);
  const found = findCommand(command, currentFolder(), process.env);
  if (!found.ok) {
    await say(`${found.what}: ${found.todo}`);
    return found.status;
  }
  const server = spawn(found.path, args, { argv0: command, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(server, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  try {
    await Promise.race([once(server, 'spawn'), ended]);
  } catch (error) {
    await say(`the server could not be started: ${(error as Error).message}`);
    return 126;
  }
  const stopForwarding = forwardSignals((signal) => {
    if (!(KEYS.includes(signal) && isInForeground())) server.kill(signal);
  });
  const between = new McpProxy(
    {
      client: { input: process.stdin, output: process.stdout },
      server: { input: server.stdin!, output: server.stdout! },
    },
    {
      home: resolveHome(process.env),
      serverName: commandLabel(command, args),
      threshold: options.threshold,
      onDefect: (error) => void say(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    },
  );
  const [exitCode, signal] = await ended;
  await Promise.race([between.done, untilIdle(between)]);
  await between.flushed();
  stopForwarding();
  await between.close();
  if (signal !== null) services.leaveBy({ signal, withGroup: false });
  return shellStatus({ exitCode, signal });
}

/** Waits until the server's own output is read. Its children may hold the pipe open, so its end can't be waited for. */
async function untilIdle(between: McpProxy): Promise<void> {
  for (let idle = 0; idle < EMPTY_CHECKS; idle = between.isIdle ? idle + 1 : 0) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  }
}
