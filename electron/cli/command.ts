/** A commander command that throws SpillwayErrors, which name the nearest valid option or command. */
import { existsSync, statSync } from 'node:fs';
import { Command, CommanderError, type ErrorOptions } from 'commander';
import { ArtifactId } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { shellWord } from '../../shared/text/escape.ts';
import { nearest } from '../../shared/text/nearest.ts';
import { print } from './output/print.ts';

/** Shells that `spillway completion` prints a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Columns of the help where no terminal has a width, as commander has them. */
const DEFAULT_WIDTH = 80;

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

  /** Adds text below the options. Its paragraphs are wrapped like the rest of the help; indented lines stay whole. */
  addNotes(text: string): this {
    return this.addHelpText('after', () => {
      const help = this.createHelp();
      const width = this.configureOutput().getOutHelpWidth?.() ?? DEFAULT_WIDTH;
      const lines = text.split('\n').map((line) => (line.startsWith(' ') ? line : help.boxWrap(line, width)));
      return lines.join('\n');
    });
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
      return new SpillwayError('usage', `${name} needs ${ARGUMENTS[word]!.is}`, ARGUMENTS[word]!.give(name));
    case 'commander.optionMissingArgument':
      return new SpillwayError('usage', `${word.split(' ', 1)[0]} needs a value`, `give it as ${word}`);
    case 'commander.excessArguments':
      return excessArguments(command, name);
    case 'commander.conflictingOption': {
      const [one, other] = word.match(/--[\w-]+/g)!;
      return new SpillwayError('usage', `${one} cannot be used with ${other}`, 'give one of them');
    }
    default:
      return new SpillwayError(
        'usage',
        word || 'this command line is not understood',
        'see `spillway --help`',
      );
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
  if (existsSync(word)) {
    const path = shellWord(word);
    const todo = statSync(word).isDirectory()
      ? `to open that folder, use \`spillway open ${path}\``
      : `to read that file, use \`spillway inspect ${path}\` or \`spillway open ${path}\``;
    return new SpillwayError('usage', what, todo);
  }
  if (/^last(-failed)?$/.test(word) || ArtifactId.safeParse(word).success)
    return new SpillwayError('usage', what, `that is an id, read it with \`spillway inspect ${word}\``);
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

function excessArguments(command: Command, name: string): SpillwayError {
  const given = command.args.map((arg) => JSON.stringify(arg)).join(' ');
  const [argument] = command.registeredArguments;
  if (argument === undefined)
    return new SpillwayError('usage', `${name} takes only options, not ${given}`, 'leave it out');
  const one = ARGUMENTS[argument.name()]!.is;
  return new SpillwayError(
    'usage',
    `${name} takes ${one}, not ${given}`,
    'give one, in quotes if it has spaces',
  );
}

/** Describes each argument in plain words, and says what to do if it is missing. */
const ARGUMENTS: Record<string, { is: string; give: (command: string) => string }> = {
  'ID|PATH': {
    is: 'an id or a file',
    give: (command) => `give one, as in \`spillway ${command} last\` or \`spillway ${command} app.log\``,
  },
  ID: { is: 'an id', give: () => 'take one from `spillway list`' },
  PATTERN: { is: 'a pattern', give: (command) => `give one, as in \`spillway ${command} error\`` },
  SHELL: { is: 'a shell', give: () => `give one of ${SHELLS.join(', ')}` },
};

function quotedIn(message: string): string {
  return /'(.*)'/s.exec(message)?.[1] ?? '';
}
