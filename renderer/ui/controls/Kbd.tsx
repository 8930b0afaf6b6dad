/** A key with its name on the keyboard. */
import type { ReactNode } from 'react';
import styles from './Kbd.module.css';

export function Kbd({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus; aria-keyshortcuts tells screen readers
    <kbd className={className ? `${styles.kbd} ${className}` : styles.kbd} aria-hidden="true">
      {children}
    </kbd>
  );
}
