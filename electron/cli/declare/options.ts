/** Parses option values. Errors say which values are valid. */
import * as z from 'zod';
import { type Argument, type Arguments, helpOf } from '../../../shared/arguments/argument.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { nearest } from '../../../shared/text/nearest.ts';
import type { SpillwayCommand } from '../command.ts';

/** Parses a whole number in decimal digits. */
export function wholeNumber(
  flag: string,
  { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): (text: string) => number {
  return (text) => {
    const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
    throw new SpillwayError(
      'usage',
      `${flag} cannot be ${JSON.stringify(text)}`,
      `give a whole number${range(min, max)}`,
    );
  };
}

function range(min: number, max: number): string {
  if (max !== Number.MAX_SAFE_INTEGER) return ` from ${min} to ${max}`;
  return min === Number.MIN_SAFE_INTEGER ? '' : `, ${min} or more`;
}

/** Parses a number of hours, such as 24 or 0.5. */
export function hours(flag: string): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isFinite(value)) return value;
    throw new SpillwayError(
      'usage',
      `${flag} cannot be ${JSON.stringify(text)}`,
      'give a number of hours, 0 or more',
    );
  };
}

/** Parses one of a few words. `noun` names them in the plural. */
export function oneOf<T extends string>(
  flag: string,
  noun: string,
  words: readonly T[],
): (text: string) => T {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    const [near] = nearest(text, words, 1);
    throw new SpillwayError(
      'usage',
      `${flag} cannot be ${JSON.stringify(text)}`,
      `${near ? `did you mean ${near}? The` : 'the'} ${noun} are ${words.join(', ')}`,
    );
  };
}

// Types for the declarations of commands.

export type Program = Pick<SpillwayCommand, 'command'>;
/** Receives the exit status of the command that ran. */
export type Finish = (running: Promise<number>) => Promise<void>;

// Derives command-line options from the arguments declared in shared/arguments.

/** The values that were given, by argument. */
type GivenArguments<T extends Arguments> = { [Name in keyof T]?: z.output<T[Name]['schema']> };

/** Adds an option for each argument that has a flag. */
export function addOptions(command: SpillwayCommand, table: Arguments): SpillwayCommand {
  for (const { flag, value, ...argument } of Object.values(table)) {
    if (flag === null) continue;
    const help = helpOf({ ...argument, flag });
    if (value === undefined) command.option(`--${flag}`, help);
    else command.option(`--${flag} <${value}>`, help, parserOf(flag, argument));
    // Used for completion only; the parser's error is better than commander's.
    if (argument.schema instanceof z.ZodEnum)
      command.options.at(-1)!.argChoices = argument.schema.options.map(String);
  }
  return command;
}

/** Picks the arguments' values from commander's options. */
export function givenIn<T extends Arguments>(options: Record<string, unknown>, table: T): GivenArguments<T> {
  const given = Object.entries(table).flatMap(([name, { flag }]) => {
    const value = flag === null ? undefined : options[attributeOf(flag)];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as GivenArguments<T>;
}

/** Returns the argument as a user types it: `--max-matches`. */
export function spelled({ flag }: Argument): string {
  return `--${flag}`;
}

/** Returns a parser that commander calls with the value's text and the value given before. */
function parserOf(
  flag: string,
  { schema, once }: Pick<Argument, 'schema' | 'once'>,
): (text: string, before: unknown) => unknown {
  const parse = valueParserOf(flag, schema);
  return (text, before) => {
    const value = parse(text);
    if (once === undefined || before === undefined || before === value) return value;
    throw new SpillwayError('usage', `--${flag} is given twice`, once);
  };
}

function valueParserOf(flag: string, schema: z.ZodType): (text: string) => unknown {
  if (schema instanceof z.ZodEnum)
    return oneOf(`--${flag}`, flag.endsWith('s') ? `${flag}es` : `${flag}s`, schema.options.map(String));
  if (schema instanceof z.ZodNumber) {
    const { minValue, maxValue } = schema;
    return wholeNumber(`--${flag}`, {
      ...(minValue === null ? {} : { min: minValue }),
      ...(maxValue === null ? {} : { max: maxValue }),
    });
  }
  return (text) => text;
}

/** Returns commander's name for a flag's value: `maxMatches` for `max-matches`. */
function attributeOf(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
