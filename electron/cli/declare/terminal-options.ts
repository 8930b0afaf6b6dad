/** The options of `spillway terminal`. */

import type { TerminalCommandOptions } from '../commands/terminal.ts';
import { parseQuick, type QuickOption } from './quick-options.ts';

export const TERMINAL_OPTIONS: readonly QuickOption<keyof TerminalCommandOptions>[] = [
  { name: 'name', flags: '--name <N>', help: 'label in the list (default: the name of the program)' },
  {
    name: 'session',
    flags: '--session <S>',
    help: 'session of the capture (default $SPILLWAY_SESSION, else "default")',
  },
  {
    name: 'integration',
    flags: '--no-integration',
    help: 'do not mark typed commands (bash, zsh and fish)',
    value: false,
  },
  { name: 'quiet', flags: '--quiet', help: 'do not print the id at the end', value: true },
];

/** Returns null if the whole program must parse it. */
export function parseTerminal(
  args: readonly string[],
): { options: TerminalCommandOptions; command: string[] } | null {
  const parsed = parseQuick<TerminalCommandOptions>(args, TERMINAL_OPTIONS);
  // The full command line reports options that follow a name without `--`.
  if (parsed === null || (parsed.words.length > 0 && !parsed.dashed)) return null;
  return {
    options: { ...parsed.options, integration: parsed.options.integration ?? true },
    command: parsed.words,
  };
}
