/** The panel beside the text, or below it in a narrow window: summary, details or commands. */
import type { ReactNode, RefObject } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { useReturnFocus } from '../../ui/state/use-return-focus.ts';
import styles from './SidePanel.module.css';

interface SidePanelProps {
  title: string;
  shortcut: string;
  onClose: () => void;
  /** Gets the focus when the panel closes with it. */
  text: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export function SidePanel({ title, shortcut, onClose, text, children }: SidePanelProps) {
  const panel = useReturnFocus<HTMLElement>(text);
  return (
    <aside ref={panel} className={styles.panel} aria-label={title}>
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
