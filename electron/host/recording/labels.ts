/** Names a command for lists and ids. */

/** The command and the words after it that say what it does: `npm test`, not its options and paths. */
export function commandLabel(command: string, args: readonly string[]): string {
  const name = command.split(/[/\\]/).at(-1) || command;
  const words = args.slice(0, 2).filter((arg) => /^[A-Za-z][\w:.-]{0,30}$/.test(arg));
  return [name, ...words].join(' ');
}

/** Returns the label of a shell line's first command. */
export function labelOfLine(line: string): string {
  const [command = 'sh', ...args] = (/[^;&|<>()\n]+/.exec(line)?.[0] ?? line).trim().split(/\s+/);
  return commandLabel(command, args);
}
