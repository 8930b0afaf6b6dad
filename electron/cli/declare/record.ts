/** Declares the commands that record: run, capture, terminal. */
import { ContentType } from '../../../shared/artifact.ts';
import type { CaptureOptions } from '../capture.ts';
import * as examples from '../examples.ts';
import { oneOf, wholeNumber } from '../options.ts';
import type { RunOptions } from '../run.ts';
import { RUN_OPTIONS } from '../run-options.ts';
import type { Services } from '../services.ts';
import type { TerminalCommandOptions } from '../terminal.ts';
import type { Finish, Program } from './declaring.ts';

export function declareRun(program: Program, finish: Finish, services: Services): void {
  const command = program
    .command('run')
    .summary('run a command and record what it prints')
    .description(
      'Runs a command as the shell would and records all it prints. Ends with its status; 124 when it timed out, 127 when there is none.',
    )
    .argument('[COMMAND...]', 'the command and its arguments, after --')
    // Even without --, options after the command's name belong to the command, as with `env` or `nice`.
    .passThroughOptions();
  for (const { flags, help, range } of RUN_OPTIONS) {
    if (range) command.option(flags, help, wholeNumber(flags.split(' ', 1)[0]!, range));
    else command.option(flags, help);
  }
  command
    .addHelpText('after', examples.RUN)
    .action((words: string[], options: RunOptions) =>
      finish(import('../run.ts').then(({ run }) => run(words, options, services))),
    );
}

export function declareCapture(program: Program, finish: Finish, services: Services): void {
  const types = ContentType.exclude(['unknown']).options;
  program
    .command('capture')
    .summary('record standard input')
    .description(
      'Records standard input to its end, then prints it when it is short, else its head and its tail.',
    )
    .option('--source <NAME>', 'where it comes from, in a word (stdin)')
    .option('--session <S>', 'the session it is in ($SPILLWAY_SESSION, else default)')
    .option('--type <T>', `what it is: ${types.join(', ')} (found out)`, oneOf('--type', 'types', types))
    .option('--tee', 'pass everything through as it comes, instead')
    .option('--json', 'print what was recorded as one JSON document')
    .addHelpText('after', examples.CAPTURE)
    .action((options: CaptureOptions) =>
      finish(import('../capture.ts').then(({ capture }) => capture(options, services))),
    );
}

export function declareTerminal(program: Program, finish: Finish): void {
  program
    .command('terminal')
    .summary('a terminal that is recorded')
    .description(
      'Starts a shell in a terminal whose output is recorded as it comes, each command in it marked. Ends as the shell ends.',
    )
    .argument('[SHELL...]', 'the program and its arguments, after -- ($SHELL)')
    .option('--name <N>', 'what the list shows it as (the name of the program)')
    .option('--session <S>', 'the session it is in ($SPILLWAY_SESSION, else default)')
    .option('--no-integration', 'do not mark the commands that are typed (bash and zsh)')
    .addHelpText('after', examples.TERMINAL)
    .action((command: string[], options: TerminalCommandOptions) =>
      finish(import('../terminal.ts').then(({ terminal }) => terminal(command, options))),
    );
}
