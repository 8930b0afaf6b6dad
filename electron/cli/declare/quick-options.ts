import type { RunOptions } from '../commands/run.ts';
import type { TerminalCommandOptions } from '../commands/terminal.ts';

/** Options declared as data: for the help, and for a fast start that loads no parser. */
interface QuickOption<Name extends string = string> {
  /** As shown in the help: `--timeout <MS>`. */
  flags: string;
  help: string;
  name: Name;
  /** Bounds of a whole number. Absent for text, and for a switch, which has `value`. */
  range?: { min: number; max?: number };
  value?: boolean;
}

interface QuickLine<Options> {
  options: Options;
  /** The words after the options. */
  words: string[];
  /** Whether `--` ended the options. */
  dashed: boolean;
}

/** Parses a simple command line. Returns null if the whole program must parse it: help, mistakes, abbreviations. */
function parseQuick<Options extends object>(
  args: readonly string[],
  declared: readonly QuickOption<keyof Options & string>[],
): QuickLine<Options> | null {
  const options: Record<string, string | number | boolean> = {};
  let at = 0;
  for (; at < args.length && args[at]!.startsWith('-'); at += 1) {
    if (args[at] === '--') return { options: options as Options, words: args.slice(at + 1), dashed: true };
    const [flag = '', ...assigned] = args[at]!.split('=');
    const option = declared.find(({ flags }) => flags.split(' ', 1)[0] === flag);
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
  return { options: options as Options, words: args.slice(at), dashed: false };
}

function parsedValue({ range }: QuickOption, text: string): string | number | null {
  if (range === undefined) return text;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return value >= range.min && value <= (range.max ?? Number.MAX_SAFE_INTEGER) ? value : null;
}

// The options of `spillway run`.

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
    name: 'ship',
    flags: '--ship',
    help: 'at the end, ship the capture to the archive, within 30 s, and print where it is',
    value: true,
  },
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

// The options of `spillway terminal`.

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
