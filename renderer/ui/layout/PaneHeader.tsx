/** The row at the top of a pane: its title and actions. */
import type { ReactNode } from 'react';
import styles from './PaneHeader.module.css';

export function PaneHeader({ children, lined = false }: { children: ReactNode; lined?: boolean }) {
  return <header className={lined ? `${styles.header} ${styles.lined}` : styles.header}>{children}</header>;
}
