/** Shows the output of commands typed in a recorded terminal, and steps through failures. */
import { useCallback } from 'react';
import type { Connection } from '../../shared/api/api.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { TypedCommand } from '../../shared/terminals.ts';
import { useActions } from '../commands/registry.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import type { LineRange } from '../viewer/document/rows-view.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { terminalActions } from './actions.ts';
import { commandPlace, failureBefore } from './command-look.ts';

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
    return (await connection.request('terminal_commands', params)).commands;
  }
  const { command } = await connection.request('last_failed_command', {});
  return command ? [command] : [];
}

const MAX_FAILURES = 500;
