/** Options declared as data: for the help, and for a fast start that loads no parser. */
export interface QuickOption<Name extends string = string> {
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
export function parseQuick<Options extends object>(
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
