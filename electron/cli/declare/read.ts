/** Declares the commands that read captures and other files: inspect, read, compare, list. */
import {
  INSPECT_ARGUMENTS,
  LIST_ARGUMENTS,
  READ_ARGUMENTS,
  STREAM_ARGUMENTS,
} from '../../../shared/arguments/views.ts';
import * as examples from './examples.ts';
import { addOptions, type Finish, givenIn, type Program } from './options.ts';

const TARGET = 'an id from `spillway list`, `last`, `last-failed`, or any file';
const INSPECT = { ...INSPECT_ARGUMENTS, ...STREAM_ARGUMENTS };
const READ = { ...READ_ARGUMENTS, ...STREAM_ARGUMENTS };

type Options = Record<string, unknown>;

export function declareInspect(program: Program, finish: Finish): void {
  const command = program
    .command('inspect')
    .summary('print part of an output: head, tail, range, matches, summary, cause')
    .description(
      'Prints part of an output: its head, tail, a range of lines, the lines that match, a summary, or the lines that explain a failure.',
    )
    .argument('<ID|PATH>', TARGET);
  addOptions(command, INSPECT)
    .option('--json', 'print the view as one JSON document')
    .addNotes(examples.INSPECT)
    .action((target: string, options: Options) =>
      finish(
        import('../commands/inspect.ts').then(({ inspect }) =>
          inspect(target, givenIn(options, INSPECT), options.json === true),
        ),
      ),
    );
}

export function declareRead(program: Program, finish: Finish): void {
  const command = program
    .command('read')
    .summary('print bytes of an output from an offset')
    .description(
      'Prints the bytes of an output from an offset on, as text, in whole characters. With --search: only the matching lines from there on.',
    )
    .argument('<ID|PATH>', TARGET);
  addOptions(command, READ)
    .option('--json', 'print the window as one JSON document')
    .addNotes(examples.READ)
    .action((target: string, options: Options) =>
      finish(
        import('../commands/read.ts').then(({ read }) =>
          read(target, givenIn(options, READ), options.json === true),
        ),
      ),
    );
}

export function declareCompare(program: Program, finish: Finish): void {
  program
    .command('compare')
    .summary('print what is new since a command last passed')
    .description(
      'Compares an output with outputs of runs that passed, and prints what is new, changed, gone or in another order, the most telling first.',
    )
    .argument('[FAILED]', 'an id or a file; by default the command that failed last', 'last-failed')
    .argument('[PASSED...]', 'ids or files; by default the last five runs of the same command that passed')
    .option('--json', 'print the comparison as one JSON document')
    .addNotes(examples.COMPARE)
    .action((failed: string, passed: string[], options: Options) =>
      finish(
        import('../commands/compare.ts').then(({ compare }) =>
          compare(failed, passed, options.json === true),
        ),
      ),
    );
}

export function declareList(program: Program, finish: Finish): void {
  const command = program
    .command('list')
    .summary('list outputs, newest first')
    .description('Lists captures and files in watched folders, newest first.');
  addOptions(command, LIST_ARGUMENTS)
    .option('--json', 'print {outputs, next_cursor} as one JSON document')
    .addNotes(examples.LIST)
    .action((options: Options) =>
      finish(
        import('../commands/list.ts').then(({ list }) =>
          list(givenIn(options, LIST_ARGUMENTS), options.json === true),
        ),
      ),
    );
}
