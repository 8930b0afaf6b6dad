/** The panel beside the text, or below it in a narrow window: summary, details or commands. */
import type { ReactNode } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import styles from './SidePanel.module.css';

interface SidePanelProps {
  title: string;
  shortcut: string;
  onClose: () => void;
  children: ReactNode;
}

export function SidePanel({ title, shortcut, onClose, children }: SidePanelProps) {
  return (
    <aside className={styles.panel} aria-label={title}>
      <header className={styles.header}>
        <h2 className={styles.title}>{title}</h2>
        <Button
          tone="quiet"
          icon="close"
          iconOnly
          label={`Close ${title.toLowerCase()}`}
          shortcut={shortcut}
          onClick={onClose}
        />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <section className={styles.body} tabIndex={0} aria-label={title}>
        {children}
      </section>
    </aside>
  );
}
