/** Shows views in a terminal or a pipe: the lines that explain a failure, and what grep found. */
import type { TerminalCommands, TypedCommand } from '../../../shared/terminals.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { escapeControls } from '../../../shared/text/escape.ts';
import { plural } from '../../../shared/text/format.ts';
import type { FailureView, GrepView } from '../../../shared/views.ts';
import { forOutput, hasColour, styled } from './print.ts';

/**
 * Returns the cause, then the explaining lines. Each has its number in front, and gaps say how many lines they leave out.
 * `>` marks the cause.
 */
export function numberedExplanation(view: FailureView): string {
  const { parts, content, cause, stream, total_lines: total } = view;
  const lines = content.split('\n');
  const width = String(total).length;
  const shown: string[] = [];
  if (cause !== null) {
    const where = `line ${cause.line_number}${cause.stream === 'output' ? '' : ` of ${cause.stream}`}: `;
    shown.push(styled(where, 'red') + styled(forOutput(cause.text.trim(), false), 'bold'), '');
  }
  let next = 1;
  let at = 0;
  const gap = (until: number) => {
    const missing = until - next;
    if (missing > 0) shown.push(styled(`${' '.repeat(width)}   … ${plural(missing, 'line')}`, 'faint'));
  };
  for (const { start_line: start, end_line: end } of parts) {
    gap(start);
    for (let number = start; number <= end; number += 1, at += 1) {
      const isCause = cause?.stream === stream && number === cause.line_number;
      const head = styled(
        `${String(number).padStart(width)} ${isCause ? '>' : ' '} `,
        isCause ? 'red' : 'faint',
      );
      const text = forOutput(lines[at] ?? '', false);
      shown.push(head + (isCause ? styled(text, 'bold') : text));
    }
    next = end + 1;
  }
  gap((total ?? 0) + 1);
  return shown.join('\n');
}

/** Colours grep's matching lines (`12:…`), context (`11-…`) and separators (`--`). Escapes controls in the text. */
export function colouredGrep({ content, matches }: GrepView): string {
  if (!hasColour()) return escapeControls(content);
  const byLine = new Map(matches.map((match) => [match.line_number, match]));
  return content
    .split('\n')
    .map((line) => {
      const [, number, mark, text = ''] = /^(\d+)([:-])(.*)$/s.exec(line) ?? [];
      if (number === undefined) return styled(line, 'faint');
      const match = mark === ':' ? byLine.get(Number(number)) : undefined;
      const head = styled(number, 'green') + styled(mark!, 'faint');
      return head + (match ? highlighted(text, match.match, match.column - 1) : escapeControls(text));
    })
    .join('\n');
}

/** `at`: offset of the match, unless the line was clipped before it. */
function highlighted(text: string, match: string, at: number): string {
  const start = text.startsWith(match, at) ? at : text.indexOf(match);
  if (match === '' || start < 0) return escapeControls(text);
  const end = start + match.length;
  const [before, found, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  return escapeControls(before) + styled(escapeControls(found), 'match') + escapeControls(after);
}

// Tells on standard error which commands of a terminal failed and why, and how to see the output of one.

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
  const why = cause === null ? '' : `; line ${cause.line_number}: ${cause.text.trim()}`;
  const more =
    start_line === null || end_line === null ? '' : `; more: --start ${start_line} --end ${end_line}`;
  return `  ${clipped(command)}: ${ended}${why}${more}`;
}

const clipped = (text: string) => clipText(text, MOST_CHARS).text;
