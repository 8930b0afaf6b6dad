/** Declares the commands that record: run, capture, terminal. */
import { ContentType } from '../../../shared/artifact.ts';
import type { CaptureOptions } from '../commands/capture.ts';
import type { RunOptions } from '../commands/run.ts';
import type { TerminalCommandOptions } from '../commands/terminal.ts';
import type { Services } from '../services.ts';
import * as examples from './examples.ts';
import { type Finish, oneOf, type Program, wholeNumber } from './options.ts';
import { RUN_OPTIONS, TERMINAL_OPTIONS } from './quick-options.ts';

export function declareRun(program: Program, finish: Finish, services: Services): void {
  const command = program
    .command('run')
    .summary('run a command and record its output')
    .description(
      "Runs a command as the shell would and records its output. Exits with the command's status: 124 when it timed out, 127 when it was not found.",
    )
    .argument('[COMMAND...]', 'the command and its arguments, after --')
    // Even without --, options after the command's name belong to the command, as with `env` or `nice`.
    .passThroughOptions();
  for (const { flags, help, range } of RUN_OPTIONS) {
    if (range) command.option(flags, help, wholeNumber(flags.split(' ', 1)[0]!, range));
    else command.option(flags, help);
  }
  command
    .addNotes(examples.RUN)
    .action((words: string[], options: RunOptions) =>
      finish(import('../commands/run.ts').then(({ run }) => run(words, options, services))),
    );
}

export function declareCapture(program: Program, finish: Finish, services: Services): void {
  const types = ContentType.exclude(['unknown']).options;
  program
    .command('capture')
    .summary('record standard input')
    .description(
      'Records standard input to its end, then prints it: whole when short, else its head and tail.',
    )
    .option('--source <NAME>', 'what the input is from, in one word (default stdin)')
    .option('--session <S>', 'session of the capture (default $SPILLWAY_SESSION, else "default")')
    .option(
      '--type <T>',
      `type of the content: ${types.join(', ')} (default: detected)`,
      oneOf('--type', 'types', types),
    )
    .option('--tee', 'pass everything through as it arrives, like tee')
    .option('--json', 'print a JSON document about the capture')
    .addNotes(examples.CAPTURE)
    .action((options: CaptureOptions) =>
      finish(import('../commands/capture.ts').then(({ capture }) => capture(options, services))),
    );
}

export function declareTerminal(program: Program, finish: Finish, services: Services): void {
  const command = program
    .command('terminal')
    .summary('start a shell in a recorded terminal')
    .description(
      'Starts a shell in a recorded terminal and marks each command typed in it. Exits with the status of the shell.',
    )
    .argument('[SHELL...]', 'the program and its arguments, after -- (default $SHELL)');
  for (const { flags, help } of TERMINAL_OPTIONS) command.option(flags, help);
  command
    .addNotes(examples.TERMINAL)
    .action((words: string[], options: TerminalCommandOptions) =>
      finish(import('../commands/terminal.ts').then(({ terminal }) => terminal(words, options, services))),
    );
}
