/** Words as a POSIX shell reads them back, so that what is shown and copied of a command can be run. */

/** Characters without a meaning to shells. zsh expands a word that begins with `=`. */
const BARE = /^[\w@%+:,./-][\w@%+=:,./-]*$/;
/** As the first word these are not a program's name: an assignment, and what a shell keeps for itself. */
const NO_PROGRAM =
  /^(\w+=.*|case|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while)$/;

/**
 * The command as a line for a shell. Without arguments it is returned as it is: agents pass whole shell lines that way.
 */
export function commandLine(command: string, args: readonly string[]): string {
  if (args.length === 0) return command;
  const program = NO_PROGRAM.test(command) ? quoted(command) : shellWord(command);
  return [program, ...args.map(shellWord)].join(' ');
}

const SHELL = /(^|[\\/])(ba|z|da|k|fi)?sh$/;
const RUNS_SCRIPT = /^-[a-z]*c$/;

/** The line a person would know a command by: of `bash -lc SCRIPT`, the script. */
export function shownCommand(command: string, args: readonly string[]): string {
  const [option, script] = args;
  const isScript = args.length === 2 && SHELL.test(command) && option && RUNS_SCRIPT.test(option);
  return isScript && script?.trim() ? script : commandLine(command, args);
}

/** In quotes unless nothing in it could mean something else. */
export function shellWord(word: string): string {
  return BARE.test(word) ? word : quoted(word);
}

/** Within single quotes nothing means anything but the quote that ends them. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
