/**
 * Declares one argument of a view, once. The rest derives from the declaration: the schemas that the window's
 * connection and MCP validate with, the command line's flags and help, and the table in the contract.
 */
import * as z from 'zod';

/** The modes in which a part of a stream can be asked for (CONTRACT 5), in the order that help lists them. */
export const ViewMode = z.enum(['head', 'tail', 'grep', 'range', 'summary', 'failure', 'outline']);
export type ViewMode = z.infer<typeof ViewMode>;

export interface Argument<S extends z.ZodType = z.ZodType> {
  /** Schema of a given value. Every argument may be left out. */
  readonly schema: S;
  /** A phrase, without a full stop. */
  readonly help: string;
  /** The flag on the command line, without `--`; null if it has none. */
  readonly flag: string | null;
  /** Placeholder for the value in `--help`, such as `N`; absent for a switch. */
  readonly value?: string;
  /** The modes that use it; absent for all. */
  readonly modes?: readonly ViewMode[];
  /**
   * Advice if it is given twice on the command line, where dropping the first value would change what is
   * found. Absent if the last value wins.
   */
  readonly once?: string;
  /** The default, if it is a single value. */
  readonly default?: number | string;
}

export type Arguments = Readonly<Record<string, Argument>>;

type Shape<T extends Arguments> = { [Name in keyof T]: z.ZodOptional<T[Name]['schema']> };

/** The fields of an object schema that takes these arguments. */
export function schemaFields<T extends Arguments>(table: T): Shape<T> {
  return mapped(table, (argument) => argument.schema.optional()) as Shape<T>;
}

/** Like `schemaFields`, with each argument's help as its description. */
export function describedFields<T extends Arguments>(table: T): Shape<T> {
  return mapped(table, (argument) => argument.schema.optional().describe(helpOf(argument))) as Shape<T>;
}

/** Its help with the modes it is for and its default: `grep: lines to show around each match (default 3)`. */
export function helpOf({ help, modes, default: value }: Argument): string {
  return `${modes ? `${inWords(modes)}: ` : ''}${withDefault(help, value)}`;
}

function inWords(modes: readonly ViewMode[]): string {
  const others = ViewMode.options.filter((mode) => !modes.includes(mode));
  return others.length < 3 ? `not ${others.join(', ')}` : modes.join(', ');
}

/** A help with its default, if there is one: `lines to show (default 50)`. */
export function withDefault(help: string, value: number | string | undefined): string {
  return value === undefined ? help : `${help} (default ${value})`;
}

function mapped(table: Arguments, make: (argument: Argument) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(table).map(([name, argument]) => [name, make(argument)]));
}

// How sentences name an argument: `as_text` for the caller of a tool, `--as-text` on the command line. Apart from the
// tables of arguments, whose schemas take long to load.

/** Where a sentence is read. */
export type Surface = 'tool' | 'command line';

/** The flags of the arguments that sentences name. */
export const FLAGS = {
  as_text: 'as-text',
  encoding: 'encoding',
  fixed: 'fixed',
  log_format: 'log-format',
  raw: 'raw',
  start_line: 'start',
  end_line: 'end',
  since: 'since',
  until: 'until',
} as const;

export function argumentOn(surface: Surface, name: keyof typeof FLAGS): string {
  return surface === 'tool' ? name : `--${FLAGS[name]}`;
}
