/** Lists the commands typed in a recorded terminal, newest first. Choosing one shows its output. */

import { memo, useEffect, useRef, useState } from 'react';
import { type SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { TypedCommand } from '../../shared/terminals.ts';
import { inOrder } from '../../shared/text/escape.ts';
import { formatCount } from '../../shared/text/format.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import statusStyles from '../library/list/StatusWord.module.css';
import { EmptyState, ErrorState } from '../ui/layout/Message.tsx';
import { Icon } from '../ui/text/Icon.tsx';
import { Age } from '../ui/text/MiddleText.tsx';
import styles from './CommandsPanel.module.css';
import { label, linesAndDuration, wayItWent } from './use-terminal.ts';

interface CommandsPanelProps {
  artifactId: string;
  /** Changes whenever there may be more commands. */
  revision: number;
  onShow: (command: TypedCommand) => void;
}

export const CommandsPanel = memo(function CommandsPanel(props: CommandsPanelProps) {
  const { commands, total, error } = useTypedCommands(props.artifactId, props.revision);
  if (error) return <ErrorState error={error} />;
  if (commands === null) return null;
  if (commands.length === 0) {
    return (
      <EmptyState icon="terminal" title="No commands">
        <p>
          Commands typed in bash, zsh or fish are listed here, unless the shell was started with options of
          its own or without the integration.
        </p>
      </EmptyState>
    );
  }
  return (
    <>
      <ol className={styles.list}>
        {commands.map((command) => (
          <Command key={command.number} command={command} onShow={props.onShow} />
        ))}
      </ol>
      {total > commands.length && (
        <p className={styles.note}>
          These are the last {formatCount(commands.length)} of {formatCount(total)}.
        </p>
      )}
    </>
  );
});

function Command({ command, onShow }: { command: TypedCommand; onShow: (command: TypedCommand) => void }) {
  const { look, word } = wayItWent(command);
  return (
    <li>
      <button
        type="button"
        className={styles.command}
        aria-label={label(command)}
        title={inOrder(command.command)}
        onClick={() => onShow(command)}
      >
        <span className={styles.text}>{inOrder(command.command)}</span>
        <span className={styles.facts}>
          <span className={`${statusStyles.status} ${statusStyles[look.tone]}`}>
            <Icon name={look.icon} />
            {word}
          </span>
          <span className={styles.measure}>{linesAndDuration(command)}</span>
          <Age iso={command.ended_at ?? command.started_at} short />
        </span>
        {command.cause && (
          <span className={styles.cause} title={`Line ${formatCount(command.cause.line_number)}`}>
            {inOrder(command.cause.text.trim())}
          </span>
        )}
      </button>
    </li>
  );
}

interface TypedCommands {
  /** Newest first; null until they are known. */
  commands: readonly TypedCommand[] | null;
  /** The number of all commands, including older ones that are not in `commands`. */
  total: number;
  error: SpillwayError | null;
}

const MAX_COMMANDS = 500;
const ASK_AGAIN_MS = 300;

/** Fetches the commands typed in a terminal, and again as it grows. `revision` changes whenever there may be more. */
function useTypedCommands(artifactId: string, revision: number): TypedCommands {
  const connection = useConnection();
  const [state, setState] = useState<TypedCommands>({ commands: null, total: 0, error: null });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision is asked for anew
  useEffect(() => {
    if (!connection) return;
    timer.current ??= setTimeout(
      () => {
        timer.current = null;
        connection.request('terminalCommands', { artifact_id: artifactId, limit: MAX_COMMANDS }).then(
          ({ commands, total }) => setState({ commands, total, error: null }),
          (error) => setState((last) => ({ ...last, error: toSpillwayError(error) })),
        );
      },
      state.commands === null ? 0 : ASK_AGAIN_MS,
    );
  }, [connection, artifactId, revision]);

  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return state;
}
