/**
 * Declares how an agent starts the shell of a command: bash, which reads BASH_ENV. The recorder gets this as a table when it is installed
 * (electron/agent-shell/program.ts).
 */

/** How an agent runs a command of its shell tool. */
export interface AgentShell {
  /**
   * A variable that it gives these commands, and neither has itself nor gives hooks, servers and helper commands, which
   * read BASH_ENV too.
   */
  marker: string;
  /** Beginning of the names of its processes that have the variable, such as its sandbox. */
  parents?: string;
  /** What stdout leads to, where other commands have the variable too. */
  output?: RegExp;
  /** A bash pattern of scripts of its own that start another shell for the command. */
  skipped?: string;
  /** What it puts around a command. */
  envelope?: Envelope;
  /** Whether it starts the shell with more options than `-c`. */
  hasOptions?: true;
}

/** Two ends around a command. A command in any other envelope is recorded with what is around it. */
export interface Envelope {
  head: RegExp;
  /** One of them ends the command; the first that is found counts. */
  tails: readonly string[];
  /** The command is quoted as one word of the shell. */
  isQuoted?: true;
}

/** Returns the command without the agent's envelope; null if that is not known. The recorder does the same in Perl. */
export function commandIn({ head, tails, isQuoted }: Envelope, given: string): string | null {
  const from = head.exec(given)?.[0].length;
  if (from === undefined) return null;
  const to = tails.map((tail) => given.lastIndexOf(tail)).find((at) => at >= from);
  if (to === undefined) return null;
  const command = given.slice(from, to);
  return isQuoted ? unquoted(command) : command;
}

/** Returns what a word of a shell line means without expansions; null if the text is more than one word. */
function unquoted(word: string): string | null {
  const piece = /([^\s'"\\;&|<>()]+)|'([^']*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|\\([\s\S])/y;
  let text = '';
  for (let match = piece.exec(word); match !== null; match = piece.exec(word)) {
    text += match[1] ?? match[2] ?? match[3]?.replace(/\\([$`"\\\n])/g, '$1') ?? match[4]!;
    if (piece.lastIndex === word.length) return text;
  }
  return word === '' ? '' : null;
}
