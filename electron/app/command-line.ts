/** Runs one command line. Gives commands the parts of Spillway that only entry points may import. */
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { flushOutputs, print, reportError } from '../cli/output/print.ts';
import { runProgram } from '../cli/program.ts';
import type { Services, SignalEnd } from '../cli/services.ts';
import { tidyByTheWay } from '../host/lifecycle/tidy-by-the-way.ts';
import { NO_DEBUGGER } from '../host/no-debugger.ts';
import { loadConfig } from '../host/settings/config.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import type { Opening } from '../mcp/answer-opening.ts';
import { namesAsGiven } from '../recorder/command/given-bytes.ts';
import { leave, sayDefect } from './leave.ts';
import { version } from './version.ts';

/**
 * Runs the command and ends the process. `entry`: path of this command's file. `opening`: an MCP client's first
 * messages, if they were answered already.
 */
export async function main(args: readonly string[], entry: string, opening: Opening | null): Promise<void> {
  let lastSignal: SignalEnd | null = null;
  const services = servicesOf(entry, opening, (end) => {
    lastSignal = end;
  });
  // Reports errors outside any command, such as a broken socket.
  process.on('uncaughtException', async (error) => {
    const status = await reportError(error);
    await flushOutputs();
    leave(status);
  });
  const status = await start(args, services).catch(reportError);
  // All output is written; an open handle must not delay the shell's prompt.
  await flushOutputs();
  leave(status, lastSignal);
}

function servicesOf(entry: string, opening: Opening | null, leaveBy: (end: SignalEnd) => void): Services {
  const own: Services['own'] = (...args) => [process.execPath, ...NO_DEBUGGER, entry, ...args];
  const recorder = own('record-on');
  return {
    version,
    leaveBy,
    config: loadConfig,
    entry,
    own,
    recorder,
    opening,
    startInspector: async (options) =>
      (await import('./start-host.ts')).startInspector({ ...options, shell: 'web', recorder, entry }),
    startWebShell: async ({ inspector: { host, hello }, port }) => {
      const staticDir = fileURLToPath(new URL('../renderer', import.meta.url));
      return (await import('../web/shell.ts')).startWebShell({
        host,
        hello,
        port,
        staticDir,
        onDefect: sayDefect,
      });
    },
    askRunning: async (home, request) => (await import('./control.ts')).askRunning(home, request),
  };
}

/** Commands that add captures to the home. */
const RECORDING = ['run', 'capture', 'terminal', 'proxy'];
/** Commands whose arguments name files. */
const NAMING = ['inspect', 'read', 'compare', 'open', 'serve'];
const TIDY = 'tidy-home';

async function start(args: readonly string[], services: Services): Promise<number> {
  const [command = ''] = args;
  // Internal: the recorder of agents' commands starts it to make the excerpt of a long output.
  if (command === 'excerpt-for-agent') {
    const [, path = '', passed, status, passes, shown] = args;
    const { excerptOf } = await import('../agent-shell/excerpt.ts');
    const { text, reached } = excerptOf(path, Number(passed), status !== '0', { passes, shown });
    // A recorder of an earlier version asks for the text alone.
    await print(passes === undefined ? text : `${JSON.stringify(reached)}\n${text}`);
    return 0;
  }
  // Internal: `run` starts it for its last line about a command that failed.
  if (command === 'changes-since') {
    const { changesSinceItPassed } = await import('../cli/commands/inspect.ts');
    await print((await changesSinceItPassed(args[1] ?? '')) ?? '');
    return 0;
  }
  // Internal: `run --ship` starts it.
  if (command === 'ship-now') {
    await print(await (await import('../cli/commands/archive.ts')).shipNow(args[1] ?? ''));
    return 0;
  }
  // Internal: recording commands start it to clean up in the background.
  if (command === TIDY) {
    setPriority(constants.priority.PRIORITY_LOW);
    await new (await import('../host/lifecycle/tidying.ts')).Tidying(resolveHome()).once();
    return 0;
  }
  // Internal: the build starts it.
  if (command === 'mcp-opening') {
    const { openingReplies } = await import('../mcp/opening-replies.ts');
    await print(JSON.stringify(await openingReplies(version)));
    return 0;
  }
  // Resolve the home first: the working directory may be deleted while the command runs.
  const home = RECORDING.includes(command) ? resolveHome() : null;
  const status = await runProgram(NAMING.includes(command) ? namesAsGiven(args) : args, services);
  if (home !== null) await tidyByTheWay(home, services.own(TIDY));
  return status;
}
