/** The command line's options for arguments that are declared in shared/arguments. */
import * as z from 'zod';
import { type Argument, type Arguments, helpOf } from '../../../shared/arguments/argument.ts';
import type { SpillwayCommand } from '../command.ts';
import { oneOf, wholeNumber } from '../options.ts';

/** Values by argument, as far as they were given. */
export type GivenArguments<T extends Arguments> = { [Name in keyof T]?: z.output<T[Name]['schema']> };

/** Adds an option for each argument that has a flag. */
export function addOptions(command: SpillwayCommand, table: Arguments): SpillwayCommand {
  for (const { flag, value, ...argument } of Object.values(table)) {
    if (flag === null) continue;
    const help = helpOf({ ...argument, flag });
    if (value === undefined) command.option(`--${flag}`, help);
    else command.option(`--${flag} <${value}>`, help, parserOf(flag, argument.schema));
    // For completion; the parser has the better complaint.
    if (argument.schema instanceof z.ZodEnum)
      command.options.at(-1)!.argChoices = argument.schema.options.map(String);
  }
  return command;
}

/** Picks the arguments' values out of commander's options. */
export function givenIn<T extends Arguments>(options: Record<string, unknown>, table: T): GivenArguments<T> {
  const given = Object.entries(table).flatMap(([name, { flag }]) => {
    const value = flag === null ? undefined : options[attributeOf(flag)];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as GivenArguments<T>;
}

/** The argument as a person writes it: `--max-matches`. */
export function spelled({ flag }: Argument): string {
  return `--${flag}`;
}

function parserOf(flag: string, schema: z.ZodType): (text: string) => unknown {
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

/** Commander's name for a flag's value: `max-matches` is `maxMatches`. */
function attributeOf(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
