/** Names a command for lists and ids. label.pl in electron/agent-shell/recorder/during does the same. */

/** Words and separators of a shell line. */
const TOKENS = /(?:[^ \t\r\n'"\\;&|<>()]+|'[^']*'|"[^"\\]*(?:\\.[^"\\]*)*"|\\.)+|[;&|<>()\n]/gs;
/** Commands that prepare the next one. */
const PREPARES = /^(?:cd|pushd|export|set|shopt|source|\.|umask|ulimit|unset|trap)$/;
const MOST_CHARS = 4096;

/** The command and the words after it that say what it does: `npm test`, not its options and paths. */
export function commandLabel(command: string, args: readonly string[]): string {
  const name = command.replace(/^.*[/\\](?=.)/s, '');
  return [name, ...args.slice(0, 2).filter((arg) => /^[A-Za-z][\w:.-]{0,30}$/.test(arg))].join(' ');
}

/** Returns the label of a shell line's first command that does more than prepare the next one. */
export function labelOfLine(line: string): string {
  let words: string[] = [];
  let before: string[] = ['sh'];
  let isTarget = false;
  for (const token of [...(line.slice(0, MOST_CHARS).match(TOKENS) ?? []), ';'])
    if (token === '<' || token === '>') isTarget = true;
    else if (!/^[;&|()\n]$/.test(token)) {
      const isAssignment = words.length === 0 && /^\w+\+?=/.test(token);
      if (!isTarget && !isAssignment) words.push(token);
      isTarget = false;
    } else if (words.length > 0) {
      if (!PREPARES.test(words[0]!)) break;
      before = words;
      words = [];
    }
  const [command, ...args] = words.length > 0 ? words : before;
  return commandLabel(command!.replace(/['"]/g, ''), args);
}
