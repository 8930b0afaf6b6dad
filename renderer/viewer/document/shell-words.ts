/** Words as a POSIX shell reads them back, so that what is shown and copied of a command can be run. */

/** None of these characters means anything to a shell; `=` does where a word begins with it (zsh). */
const BARE = /^[\w@%+:,./-][\w@%+=:,./-]*$/;
/** As the first word these are not a program's name: an assignment, and what a shell keeps for itself. */
const NO_PROGRAM =
  /^(\w+=.*|case|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while)$/;

/**
 * An agent's command without arguments is a whole line for the shell already, and is left as it is; a program whose name
 * needs quotes and that was given no arguments can't be told from that.
 */
export function commandLine(command: string, args: readonly string[]): string {
  if (args.length === 0) return command;
  const program = NO_PROGRAM.test(command) ? quoted(command) : shellWord(command);
  return [program, ...args.map(shellWord)].join(' ');
}

/** In quotes unless nothing in it could mean something else. */
export function shellWord(word: string): string {
  return BARE.test(word) ? word : quoted(word);
}

/** Within single quotes nothing means anything but the quote that ends them. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
