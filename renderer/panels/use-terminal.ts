/** Shows the output of commands typed in a recorded terminal, and steps through failures. */

import { useCallback } from 'react';
import type { Connection } from '../../shared/api/api.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { TypedCommand } from '../../shared/terminals.ts';
import { formatCount, formatDuration, plural } from '../../shared/text/format.ts';
import { useActions } from '../actions/registry.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { STATUS } from '../library/artifact-facts.ts';
import type { LineRange } from '../viewer/document/rows-view.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { terminalActions } from './panel-actions.ts';

export function useTerminal(
  artifact: Artifact | null,
  viewer: Viewer,
  say: (message: string) => void,
  onOpen: (artifactId: string, how: 'push', line: number, range: LineRange | null) => void,
): { isTerminal: boolean; show: (command: TypedCommand) => void } {
  const connection = useConnection();
  const { showRange, goToLine, scroller } = viewer;
  const show = useCallback(
    (command: TypedCommand) => {
      const place = commandPlace(command);
      if (place.range) showRange(place.range);
      else {
        showRange(null);
        goToLine(place.line);
      }
      scroller.current?.focus({ preventScroll: true });
    },
    [showRange, goToLine, scroller],
  );

  const isTerminal = artifact?.kind === 'terminal';
  const showFailure = (command: TypedCommand, isWrapped: boolean) => {
    if (command.artifact_id === artifact?.artifact_id) show(command);
    else {
      const { start_line, prompt_line } = command;
      onOpen(command.artifact_id, 'push', start_line ?? prompt_line, commandPlace(command).range ?? null);
    }
    say(
      `${isWrapped ? 'From the last failure again. ' : ''}${command.command}: exit status ${command.exit_code}`,
    );
  };
  const showLastFailed = async () => {
    if (!artifact || !connection) return;
    try {
      const failed = await failedCommands(connection, isTerminal ? artifact.artifact_id : null);
      const { command, isWrapped } = failureBefore(failed, {
        range: viewer.range,
        line: viewer.currentLine(),
      });
      if (command) showFailure(command, isWrapped);
      else say('No command in a recorded terminal has failed');
    } catch (error) {
      say(toSpillwayError(error).message);
    }
  };
  useActions(terminalActions, { showLastFailed });
  return { isTerminal, show };
}

/** Returns failed commands, newest first: those of the terminal, or the last one of all terminals. */
async function failedCommands(
  connection: Connection,
  terminal: string | null,
): Promise<readonly TypedCommand[]> {
  if (terminal !== null) {
    const params = { artifact_id: terminal, failed: true, limit: MAX_FAILURES };
    return (await connection.request('terminalCommands', params)).commands;
  }
  const { command } = await connection.request('lastFailedCommand', {});
  return command ? [command] : [];
}

const MAX_FAILURES = 500;

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
function commandPlace({ start_line, end_line, prompt_line }: TypedCommand) {
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
