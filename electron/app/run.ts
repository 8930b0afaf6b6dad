/**
 * Runs `spillway run` and `spillway terminal` without loading the other commands and their help. The launcher's
 * first argument, `--inherited=…`, says what Node would have lost (recorder/command/inherited.ts).
 */

import { run } from '../cli/commands/run.ts';
import { parseRun, parseTerminal } from '../cli/declare/quick-options.ts';
import { flushOutputs, reportError } from '../cli/output/print.ts';
import type { Services, SignalEnd } from '../cli/services.ts';
import { tidyByTheWay } from '../host/lifecycle/tidy-by-the-way.ts';
import { NO_DEBUGGER } from '../host/no-debugger.ts';
import type { Config } from '../host/settings/config.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { plainSettings } from '../host/settings/plain-settings.ts';
import { INHERITED_WORD, rememberInherited } from '../recorder/command/inherited.ts';
import { recordOn } from '../recorder/streams/record-on.ts';
import { leave, leaveStandardErrorAlone } from './leave.ts';

/**
 * Runs the command and ends the process. `folder` holds the built files. `startProgram` loads the whole program, for
 * help and mistakes.
 */
export async function main(folder: string, startProgram: () => Promise<unknown>): Promise<void> {
  leaveStandardErrorAlone();
  const [, , ...words] = process.argv;
  if (words[0]?.startsWith(INHERITED_WORD)) {
    rememberInherited(words[0].slice(INHERITED_WORD.length));
    process.argv.splice(2, 1);
    words.shift();
  }
  const [command, ...args] = words;
  if (command === 'record-on') {
    await recordOn();
    process.exit(0);
  }
  const home = resolveHome();
  const settings = plainSettings(home);
  const start = startOf(command, args);
  if (start === null || settings === null) {
    await startProgram();
    return;
  }
  process.on('uncaughtException', async (error) => {
    const status = await reportError(error);
    await flushOutputs();
    leave(status);
  });
  const config = { settings, warnings: [] };
  await startAndLeave(start, home, config, `${folder}/cli.js`);
}

type QuickServices = Pick<Services, 'config' | 'recorder' | 'leaveBy' | 'own'>;
type Start = (services: QuickServices) => Promise<number>;

/** Null if the whole program must parse it. */
function startOf(name: string | undefined, args: readonly string[]): Start | null {
  if (name === 'terminal') {
    const parsed = parseTerminal(args);
    if (parsed === null) return null;
    return async (services) => {
      const { terminal } = await import('../cli/commands/terminal.ts');
      return terminal(parsed.command, parsed.options, services);
    };
  }
  const parsed = parseRun(args);
  return parsed && ((services) => run(parsed.command, parsed.options, services));
}

async function startAndLeave(start: Start, home: string, config: Config, entry: string): Promise<void> {
  let lastSignal: SignalEnd | null = null;
  const own = (...args: string[]): [string, ...string[]] => [
    process.execPath,
    ...NO_DEBUGGER,
    entry,
    ...args,
  ];
  const leaveBy = (end: SignalEnd) => {
    lastSignal = end;
  };
  const services = { config: () => config, recorder: own('record-on'), leaveBy, own };
  const status = await start(services).catch(reportError);
  await tidyByTheWay(home, own('tidy-home'));
  await flushOutputs();
  leave(status, lastSignal);
}
