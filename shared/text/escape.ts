/** Makes any text safe to print on a terminal: what could move, colour, retitle, answer or reorder is written out. */

const LIVE = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Marks and overrides of text direction: with them a line can look like another one (CVE-2021-42574). */
const BIDIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns `text` with control characters (except tab and newline) as `\x1b`, bidirectional ones as `\u202e`. */
export function escapeControls(text: string): string {
  return text
    .replace(LIVE, (control) => `\\x${hex(control, 2)}`)
    .replace(BIDIRECTIONAL, (control) => `\\u${hex(control, 4)}`);
}

/** Returns `text` as `escapeControls` does, on one line: tab and newline are written out too. */
export function escapeLine(text: string): string {
  return escapeControls(text).replace(/[\t\n]/g, (c) => (c === '\t' ? '\\t' : '\\n'));
}

/** Overrides and isolates: the direction controls that can move what stands beside them. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Returns `text` with a visible sign for each control that would reorder it. Columns stay as they are. */
export function inOrder(text: string): string {
  return text.replace(REORDERING, '\u21c4');
}

function hex(char: string, digits: number): string {
  return char.charCodeAt(0).toString(16).padStart(digits, '0');
}

/** Quotes text in Markdown, whatever back ticks it has. */

export function codeSpan(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

export function codeBlock(text: string): string {
  const around = fence(longestTicks(text));
  return `${around}text\n${text}\n${around}`;
}

/** Returns a fence for text with `ticks` back ticks in a row. */
export function fence(ticks: number): string {
  return '`'.repeat(Math.max(3, ticks + 1));
}

export function longestTicks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

// Words as a POSIX shell reads them back, so that what is shown and copied of a command can be run.

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
