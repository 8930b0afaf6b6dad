/** A modal dialog with a title and a close button. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Button } from '../controls/Button.tsx';
import styles from './Dialog.module.css';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Below the content, always in view. */
  footer?: ReactNode;
  wide?: boolean;
  /** Whether the content may be higher than the window: then it takes the focus, so that keys scroll it. */
  scrolls?: boolean;
  /** Gets the focus first. */
  initialFocus?: RefObject<HTMLElement | null>;
}

export function Dialog({
  open,
  onClose,
  title,
  children,
  footer,
  wide = false,
  scrolls = false,
  initialFocus,
}: DialogProps) {
  const body = useRef<HTMLElement>(null);
  // Most are never opened: rendering them closed takes time at each key.
  const wasOpen = useRef(open);
  wasOpen.current ||= open;
  const focus = initialFocus ?? (scrolls ? body : undefined);
  if (!wasOpen.current) return null;
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          className={wide ? `${styles.popup} ${styles.wide}` : styles.popup}
          {...(focus ? { initialFocus: focus } : {})}
        >
          <header className={styles.header}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<Button tone="quiet" icon="close" iconOnly label="Close" shortcut="Esc" />} />
          </header>
          {scrolls ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
            <section ref={body} className={styles.body} tabIndex={0} aria-label={title}>
              {children}
            </section>
          ) : (
            <div className={styles.body}>{children}</div>
          )}
          {footer && <footer className={styles.footer}>{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
