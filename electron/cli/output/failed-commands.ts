/** Tells on standard error which commands of a terminal failed and why, and how to see the output of one. */
import type { TerminalCommands, TypedCommand } from '../../../shared/terminals.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { plural } from '../../../shared/text/format.ts';

/** Failed commands that are named, the last ones. */
export const MOST_NAMED = 8;
const MOST_CHARS = 120;

/** One line each, the last command last; empty where none failed. */
export function failedCommands({ commands, total }: TerminalCommands): string[] {
  if (commands.length === 0) return [];
  const shown = commands.length < total ? `; the last ${commands.length}` : '';
  return [`${plural(total, 'command')} failed here${shown}:`, ...commands.toReversed().map(failed)];
}

function failed({ command, exit_code, cause, start_line, end_line }: TypedCommand): string {
  const ended = exit_code === null ? 'failed' : `exit ${exit_code}`;
  const why = cause === null ? '' : `; line ${cause.line_number}: ${clipped(cause.text.trim())}`;
  const more =
    start_line === null || end_line === null ? '' : `; more: --start ${start_line} --end ${end_line}`;
  return `  ${clipped(command)}: ${ended}${why}${more}`;
}

const clipped = (text: string) => clipText(text, MOST_CHARS).text;
