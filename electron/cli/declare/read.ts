/** Declares the commands that read captures and other files: inspect, read, list. */
import {
  INSPECT_ARGUMENTS,
  LIST_ARGUMENTS,
  READ_ARGUMENTS,
  STREAM_ARGUMENTS,
} from '../../../shared/arguments/views.ts';
import * as examples from '../examples.ts';
import { addOptions, givenIn } from './arguments.ts';
import type { Finish, Program } from './declaring.ts';

const TARGET = 'an artifact id that `spillway list` shows, or any file';
const INSPECT = { ...INSPECT_ARGUMENTS, ...STREAM_ARGUMENTS };
const READ = { ...READ_ARGUMENTS, ...STREAM_ARGUMENTS };

type Options = Record<string, unknown>;

export function declareInspect(program: Program, finish: Finish): void {
  const command = program
    .command('inspect')
    .summary('print the head, the tail, a range, the matching lines or a summary of an output')
    .description('Prints part of an output: its head, its tail, a range, the lines that match, or a summary.')
    .argument('<ID|PATH>', TARGET);
  addOptions(command, INSPECT)
    .option('--json', 'print the view as one JSON document')
    .addHelpText('after', examples.INSPECT)
    .action((target: string, options: Options) =>
      finish(
        import('../inspect.ts').then(({ inspect }) =>
          inspect(target, givenIn(options, INSPECT), options.json === true),
        ),
      ),
    );
}

export function declareRead(program: Program, finish: Finish): void {
  const command = program
    .command('read')
    .summary('print a stretch of an output by byte offset')
    .description(
      'Prints the bytes of an output from an offset on, as text, never splitting a character; with --search, the lines that match from there on.',
    )
    .argument('<ID|PATH>', TARGET);
  addOptions(command, READ)
    .option('--json', 'print the window as one JSON document')
    .addHelpText('after', examples.READ)
    .action((target: string, options: Options) =>
      finish(
        import('../read.ts').then(({ read }) => read(target, givenIn(options, READ), options.json === true)),
      ),
    );
}

export function declareList(program: Program, finish: Finish): void {
  const command = program
    .command('list')
    .summary('list the outputs there are, newest first')
    .description('Lists the known outputs, newest first: captures, and files in watched directories.');
  addOptions(command, LIST_ARGUMENTS)
    .option('--json', 'print {outputs, next_cursor} as one JSON document')
    .addHelpText('after', examples.LIST)
    .action((options: Options) =>
      finish(
        import('../list.ts').then(({ list }) =>
          list(givenIn(options, LIST_ARGUMENTS), options.json === true),
        ),
      ),
    );
}
