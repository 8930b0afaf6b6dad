/** The options of `spillway run`, declared once: for the help, and for the fast start that skips it. */
import type { RunOptions } from './run.ts';

export interface RunOption {
  /** As shown in the help: `--timeout <MS>`. */
  flags: string;
  help: string;
  name: keyof RunOptions;
  /** Bounds of a whole number. Absent for text, and for a switch, which has `value`. */
  range?: { min: number; max?: number };
  value?: boolean;
}

/** The longest timeout that Node's timers can hold. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export const RUN_OPTIONS: readonly RunOption[] = [
  {
    name: 'session',
    flags: '--session <S>',
    help: 'session of the capture (default $SPILLWAY_SESSION, else "default")',
  },
  { name: 'cwd', flags: '--cwd <D>', help: 'working directory (default: this one)' },
  {
    name: 'timeout',
    flags: '--timeout <MS>',
    help: 'end the command and everything it started after MS milliseconds',
    range: { min: 1, max: MAX_TIMEOUT_MS },
  },
  {
    name: 'maxBytes',
    flags: '--max-bytes <N>',
    help: 'bytes to keep of each stream, its head and its end; 0 keeps all (default: setting maxStreamBytes)',
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

/**
 * Returns the options and the command of a simple command line. Returns null if the whole program must parse it:
 * help, mistakes, abbreviations.
 */
export function parseRun(args: readonly string[]): { options: RunOptions; command: string[] } | null {
  const options: Record<string, string | number | boolean> = {};
  let at = 0;
  for (; at < args.length && args[at]!.startsWith('-'); at += 1) {
    if (args[at] === '--') return { options, command: args.slice(at + 1) };
    const [flag = '', ...assigned] = args[at]!.split('=');
    const option = RUN_OPTIONS.find(({ flags }) => flags.split(' ', 1)[0] === flag);
    if (option === undefined) return null;
    if (option.value !== undefined) {
      if (assigned.length > 0) return null;
      options[option.name] = option.value;
      continue;
    }
    const value = assigned.length > 0 ? assigned.join('=') : args[++at];
    const parsed = value === undefined ? null : parsedValue(option, value);
    if (parsed === null) return null;
    options[option.name] = parsed;
  }
  return at < args.length ? { options, command: args.slice(at) } : null;
}

function parsedValue({ range }: RunOption, text: string): string | number | null {
  if (range === undefined) return text;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return value >= range.min && value <= (range.max ?? Number.MAX_SAFE_INTEGER) ? value : null;
}
