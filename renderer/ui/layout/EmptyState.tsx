/** The message of an empty pane: why it is empty, and what to do. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../words/Icon.tsx';
import styles from './EmptyState.module.css';

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
      {children && <div className={styles.text}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
