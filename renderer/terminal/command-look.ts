/** Describes a typed command: its outcome, and the lines of its output. */
import type { TypedCommand } from '../../shared/terminals.ts';
import { formatCount, formatDuration, plural } from '../../shared/text/format.ts';
import { STATUS } from '../library/artifact-look.ts';

/** Returns its outcome as for an artifact, with the same icons; `failed (2)` includes the exit status. */
export function wayItWent({ status, exit_code }: TypedCommand): {
  look: (typeof STATUS)['failed'];
  word: string;
} {
  const look = STATUS[status];
  return { look, word: status === 'failed' && exit_code ? `${look.word} (${exit_code})` : look.word };
}

/** Returns `1,204 lines · 3.2 s`, or the known part of it. */
export function linesAndDuration(command: TypedCommand): string {
  const { start_line, end_line, duration_ms, ended_at } = command;
  const lines = start_line === null || end_line === null ? null : end_line - start_line + 1;
  const noLines = ended_at === null ? null : 'no output';
  return [
    lines === null ? noLines : plural(lines, 'line'),
    duration_ms === null ? null : formatDuration(duration_ms),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** Returns the lines of its output, or the line of its prompt if it has no output or has not ended. */
export function commandPlace({ start_line, end_line, prompt_line }: TypedCommand) {
  if (start_line !== null && end_line !== null) return { range: { start: start_line, end: end_line } };
  return { line: start_line ?? prompt_line };
}

/** Returns its label for assistive technology. */
export function label(command: TypedCommand): string {
  const { word } = wayItWent(command);
  const cause = command.cause ? `, ${command.cause.text.trim()}` : '';
  return `${command.command}: ${word}${cause}, ${linesAndDuration(command)}, typed in line ${formatCount(command.prompt_line)}`;
}

/**
 * Returns the failure to show next: the last one, or the one before a shown failure, wrapping around.
 * @param failed newest first
 * @param shown the shown range of lines, and the current line
 */
export function failureBefore(
  failed: readonly TypedCommand[],
  shown: { range: { start: number; end: number } | null; line: number },
): { command: TypedCommand | null; isWrapped: boolean } {
  const at = failed.findIndex((command) => {
    const place = commandPlace(command);
    return place.range
      ? place.range.start === shown.range?.start && place.range.end === shown.range.end
      : shown.range === null && place.line === shown.line;
  });
  const isWrapped = at >= 0 && at === failed.length - 1 && failed.length > 1;
  return { command: failed[isWrapped ? 0 : at + 1] ?? failed[at] ?? null, isWrapped };
}
