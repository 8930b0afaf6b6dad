/** Messages: above a text, and instead of one. */

import type { ReactNode } from 'react';
import type { SpillwayError } from '../../../shared/errors.ts';
import { IconButton } from '../controls/Button.tsx';
import { heading, sentence } from '../text/format.ts';
import { Icon, type IconName } from '../text/Icon.tsx';
import styles from './Message.module.css';

type BarTone = 'informed' | 'warned' | 'failed';

interface BarProps {
  tone: BarTone;
  /** One word with the meaning of the colour. */
  word: string;
  children: ReactNode;
  actions?: ReactNode;
  onDismiss?: () => void;
}

const ICONS: Record<BarTone, IconName> = { informed: 'details', warned: 'warn', failed: 'cross' };

export function Bar({ tone, word, children, actions, onDismiss }: BarProps) {
  return (
    <div className={`${styles.bar} ${styles[tone]}`} role={tone === 'failed' ? 'alert' : 'status'}>
      <span className={styles.word}>
        <Icon name={ICONS[tone]} />
        {word}
      </span>
      <span className={styles.text}>{children}</span>
      {actions}
      {onDismiss && <IconButton icon="close" label="Dismiss" onClick={onDismiss} />}
    </div>
  );
}

/** The message of an empty pane: why it is empty, and what to do. */
interface EmptyStateProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** Announces the message, as an error. */
  alert?: boolean;
}

export function EmptyState({ icon, title, children, actions, alert = false }: EmptyStateProps) {
  return (
    <div className={styles.empty} role={alert ? 'alert' : undefined}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <h2 className={styles.title}>{title}</h2>
      {children && <div className={styles.emptyStateText}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** What went wrong instead of the content of a pane, and what to do. */
export function ErrorState({
  error,
  alert = true,
  actions,
}: {
  error: SpillwayError;
  alert?: boolean;
  actions?: ReactNode;
}) {
  return (
    <EmptyState icon="warn" title={heading(error.what)} alert={alert} actions={actions}>
      <p>{sentence(error.todo)}</p>
    </EmptyState>
  );
}

/** What went wrong, within a form or a dialog; nothing without a text. */
export function Problem({ text }: { text: string | null | undefined }) {
  return text ? (
    <p className={styles.problem} role="alert">
      {text}
    </p>
  ) : null;
}
