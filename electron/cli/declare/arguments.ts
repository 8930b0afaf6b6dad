/** Derives command-line options from the arguments declared in shared/arguments. */
import * as z from 'zod';
import { type Argument, type Arguments, helpOf } from '../../../shared/arguments/argument.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { SpillwayCommand } from '../command.ts';
import { oneOf, wholeNumber } from './options.ts';

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
