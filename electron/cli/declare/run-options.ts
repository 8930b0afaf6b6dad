/** The options of `spillway run`. */

import type { RunOptions } from '../commands/run.ts';
import { parseQuick, type QuickOption } from './quick-options.ts';

/** The longest timeout that Node's timers can hold. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export const RUN_OPTIONS: readonly QuickOption<keyof RunOptions>[] = [
  {
    name: 'session',
    flags: '--session <S>',
    help: 'session of the capture (default $SPILLWAY_SESSION, else "default")',
  },
  { name: 'cwd', flags: '--cwd <D>', help: 'working directory (default: this one)' },
  {
    name: 'timeout',
    flags: '--timeout <MS>',
    help: 'after MS milliseconds, end the command and everything it started',
    range: { min: 1, max: MAX_TIMEOUT_MS },
  },
  {
    name: 'maxBytes',
    flags: '--max-bytes <N>',
    help: 'cap of each stream: keep its head and its end; 0 keeps all (default: setting maxStreamBytes)',
    range: { min: 0 },
  },
  { name: 'pty', flags: '--pty', help: 'run the command in a terminal (default on a terminal)', value: true },
  { name: 'pty', flags: '--no-pty', help: 'run the command on pipes (default elsewhere)', value: false },
  { name: 'quiet', flags: '--quiet', help: 'print only what the command prints', value: true },
  {
    name: 'json',
    flags: '--json',
    help: 'print a JSON document about the capture instead of the output',
    value: true,
  },
];

/** Returns null if the whole program must parse it. */
export function parseRun(args: readonly string[]): { options: RunOptions; command: string[] } | null {
  const parsed = parseQuick<RunOptions>(args, RUN_OPTIONS);
  if (parsed === null || (parsed.words.length === 0 && !parsed.dashed)) return null;
  return { options: parsed.options, command: parsed.words };
}
