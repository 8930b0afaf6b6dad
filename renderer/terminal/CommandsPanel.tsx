/** Lists the commands typed in a recorded terminal, newest first. Choosing one shows its output. */

import { memo } from 'react';
import type { TypedCommand } from '../../shared/terminals.ts';
import { inOrder } from '../../shared/text/escape.ts';
import { formatCount } from '../../shared/text/format.ts';
import statusStyles from '../library/list/item/StatusWord.module.css';
import { EmptyState } from '../ui/layout/EmptyState.tsx';
import { Age } from '../ui/words/Age.tsx';
import { sentence } from '../ui/words/format.ts';
import { Icon } from '../ui/words/Icon.tsx';
import styles from './CommandsPanel.module.css';
import { label, linesAndDuration, wayItWent } from './command-look.ts';
import { useTypedCommands } from './use-typed-commands.ts';

interface CommandsPanelProps {
  artifactId: string;
  /** Changes whenever there may be more commands. */
  revision: number;
  onShow: (command: TypedCommand) => void;
}

export const CommandsPanel = memo(function CommandsPanel(props: CommandsPanelProps) {
  const { commands, total, error } = useTypedCommands(props.artifactId, props.revision);
  if (error) {
    return (
      <EmptyState icon="warn" title={error.what} alert>
        <p>{sentence(error.todo)}</p>
      </EmptyState>
    );
  }
  if (commands === null) return null;
  if (commands.length === 0) {
    return (
      <EmptyState icon="terminal" title="No commands">
        <p>
          Those typed in bash, zsh or fish are listed here, unless the shell was started with options of its
          own or without the integration.
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
