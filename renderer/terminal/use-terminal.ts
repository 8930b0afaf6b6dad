/** The keys of a recorded terminal, and showing a command's output in the text. */
import { useCallback } from 'react';
import type { Artifact } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { TypedCommand } from '../../shared/terminals.ts';
import { useActions } from '../commands/registry.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import type { LineRange } from '../viewer/document/rows-view.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { terminalActions } from './actions.ts';
import { placeOf } from './command-look.ts';

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
      const place = placeOf(command);
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
  const lastFailed = () => {
    if (!artifact || !connection) return;
    const { artifact_id } = artifact;
    // Elsewhere than in a terminal, that of all terminals.
    const asked = isTerminal
      ? connection
          .request('terminal_commands', { artifact_id, failed: true, limit: 1 })
          .then(({ commands }) => commands[0])
      : connection.request('last_failed_command', {}).then(({ command }) => command);
    asked.then(
      (command) => {
        if (!command) return say('No command is known to have failed in a recorded terminal');
        if (command.artifact_id === artifact_id) show(command);
        else {
          const line = command.start_line ?? command.prompt_line;
          onOpen(command.artifact_id, 'push', line, placeOf(command).range ?? null);
        }
        say(`${command.command}: exit status ${command.exit_code}`);
      },
      (error) => say(toSpillwayError(error).message),
    );
  };
  useActions(terminalActions, { showLastFailed: lastFailed });
  return { isTerminal, show };
}
