/** A commander command that throws SpillwayErrors, which name the nearest valid option or command. */
import { existsSync } from 'node:fs';
import { Command, CommanderError, type ErrorOptions } from 'commander';
import { SpillwayError } from '../../shared/errors.ts';
import { nearest } from '../../shared/text/nearest.ts';
import { print } from './output/print.ts';

export class SpillwayCommand extends Command {
  /** Help or version text. Collected so that it can be awaited: commander exits as soon as it has written. */
  #written = '';

  constructor(name?: string) {
    super(name);
    this.exitOverride();
    this.configureOutput({ writeOut: (text) => this.#write(text), writeErr: (text) => this.#write(text) });
    // Commander would append the choices, which the descriptions list already.
    this.configureHelp({
      optionDescription: ({ description }) => description,
      argumentDescription: ({ description }) => description,
    });
  }

  override createCommand(name?: string): SpillwayCommand {
    return new SpillwayCommand(name);
  }

  /** Parses the arguments and runs the command. Prints help and the version. Throws SpillwayError. */
  async run(args: readonly string[]): Promise<void> {
    const [first = '-'] = args;
    // Commander would print help for any unknown word.
    if (![...commandNames(this), 'help'].includes(first) && !first.startsWith('-'))
      throw unknownCommand(this, first);
    try {
      await this.parseAsync(args, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      // `help` with an unknown command, or no arguments at all.
      if (error.exitCode !== 0)
        throw args[0] === 'help' && args[1] ? unknownCommand(this, args[1]) : noCommand(this);
      await print(this.#written);
    }
  }

  /** Turns commander's errors into ours. */
  override error(message: string, options?: ErrorOptions): never {
    throw complaint(this, options?.code ?? '', quotedIn(message));
  }

  #write(text: string): void {
    this.#written += text;
  }
}

/** `word`: the flag, command or argument that the error is about. */
function complaint(command: Command, code: string, word: string): SpillwayError {
  const name = command.parent ? command.name() : 'spillway';
  switch (code) {
    case 'commander.unknownOption':
      return unknownOption(command, name, word);
    case 'commander.unknownCommand':
      return unknownCommand(command, word);
    case 'commander.missingArgument':
      return new SpillwayError('usage', `${name} needs ${word}`, `see spillway ${name} --help`);
    case 'commander.optionMissingArgument':
      return new SpillwayError('usage', `${word.split(' ', 1)[0]} needs a value`, `give it as ${word}`);
    case 'commander.excessArguments':
      return new SpillwayError(
        'usage',
        `${name} has too many arguments: ${command.args.map((arg) => JSON.stringify(arg)).join(' ')}`,
        `${takes(command)}, and names with spaces need quotes`,
      );
    default:
      return new SpillwayError('usage', word || 'this command line is not understood', `see spillway --help`);
  }
}

/** `word` as it was given, such as `--json=1`, which is unknown to commander as well: a switch takes no value. */
function unknownOption(command: Command, name: string, word: string): SpillwayError {
  const flag = word.split('=', 1)[0]!;
  const known = command
    .createHelp()
    .visibleOptions(command)
    .flatMap((option) => option.long ?? []);
  if (known.includes(flag)) return new SpillwayError('usage', `${flag} takes no value`, `give ${flag} alone`);
  const [near] = nearest(flag, known, 1);
  const where = command.parent ? '' : ', and the options of a command come after its name';
  return new SpillwayError(
    'usage',
    `${name} has no option ${JSON.stringify(flag)}`,
    `${near ? `did you mean ${near}? It` : 'it'} takes ${known.join(', ')}${where}`,
  );
}

function unknownCommand(command: Command, word: string): SpillwayError {
  const what = `there is no command ${JSON.stringify(word)}`;
  if (existsSync(word)) return new SpillwayError('usage', what, `to open that file: spillway open ${word}`);
  const known = commandNames(command);
  const [near] = nearest(word, known, 1);
  return new SpillwayError(
    'usage',
    what,
    near
      ? `did you mean ${near}? The commands are ${known.join(', ')}`
      : `the commands are ${known.join(', ')}`,
  );
}

function noCommand(command: Command): SpillwayError {
  return new SpillwayError(
    'usage',
    'no command is given',
    `give one of ${commandNames(command).join(', ')}, or --help`,
  );
}

function commandNames(command: Command): string[] {
  return command.commands.map((one) => one.name());
}

function takes(command: Command): string {
  const names = command.registeredArguments.map((argument) => argument.name());
  return names.length === 0
    ? `${command.name()} takes options only`
    : `${command.name()} takes one ${names.join(' ')}`;
}

function quotedIn(message: string): string {
  return /'(.*)'/s.exec(message)?.[1] ?? '';
}
