/** A modal dialog with a title and a close button. */
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { Button } from './Button.tsx';
import styles from './Dialog.module.css';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Below the content, always in view. */
  footer?: ReactNode;
  wide?: boolean;
  /** Focused first; the popup itself when absent. */
  initialFocus?: RefObject<HTMLElement | null>;
}

export function Dialog({ open, onClose, title, children, footer, wide = false, initialFocus }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          className={wide ? `${styles.popup} ${styles.wide}` : styles.popup}
          {...(initialFocus ? { initialFocus } : {})}
        >
          <header className={styles.header}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<Button tone="quiet" icon="close" iconOnly label="Close" shortcut="Esc" />} />
          </header>
          <div className={styles.body}>{children}</div>
          {footer && <footer className={styles.footer}>{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
