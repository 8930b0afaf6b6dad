/** `spillway terminal`: runs the user's shell or another program in a terminal, and records it live. */
import { escapeControls } from '../../../shared/text/escape.ts';
import { recordTerminal } from '../../host/recording/run-terminal.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { environmentForCommand } from '../../recorder/command/inherited.ts';
import { tell } from '../output/print.ts';
import type { Services } from '../services.ts';

export interface TerminalCommandOptions {
  name?: string;
  session?: string;
  /** False with --no-integration. */
  integration: boolean;
  /** The id is not printed at the end. */
  quiet?: boolean;
}

/** Resolves with the program's exit status. Does not return when a signal asked us to end: we die by it. */
export async function terminal(
  command: readonly string[],
  options: TerminalCommandOptions,
  { config }: Pick<Services, 'config'>,
): Promise<number> {
  const say = (sentence: string) => tell(`spillway: ${escapeControls(sentence)}`);
  const home = resolveHome(process.env);
  const run = await recordTerminal({
    ...{ home, config: () => config(home), env: environmentForCommand(), cwd: process.cwd(), command },
    ...{ session: options.session ?? null, name: options.name ?? null, integration: options.integration },
    tell: (sentence) => void say(sentence),
  });
  for (const warning of run.warnings) await say(warning);
  if (run.problem) await say(`${run.problem.what}: ${run.problem.todo}`);
  if (run.artifactId !== null && !options.quiet) await say(`this terminal is ${run.artifactId}`);
  if (run.endedBy === null) return run.status;
  process.kill(process.pid, run.endedBy);
  return new Promise(() => {});
}
