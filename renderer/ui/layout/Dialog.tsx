/** Dialogs, and small forms below a button. */

import { Dialog as Base } from '@base-ui/react/dialog';
import { Popover as BasePopover } from '@base-ui/react/popover';
import { type ReactNode, type RefObject, useRef } from 'react';
import { IconButton } from '../controls/Button.tsx';
import { focusTargetOf } from '../state/page.ts';
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

const FIELDS = 'input:not([type]), input[type="text"], input[type="search"], textarea';

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
  const body = useRef<HTMLDivElement>(null);
  // Most are never opened: rendering them closed takes time at each key.
  const wasOpen = useRef(open);
  wasOpen.current ||= open;
  // A dialog with fields begins at the first one, not at the button that closes it.
  const firstField = () => body.current?.querySelector<HTMLElement>(FIELDS) ?? true;
  const focus = initialFocus ?? (scrolls ? body : firstField);
  if (!wasOpen.current) return null;
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={wide ? `${styles.popup} ${styles.wide}` : styles.popup} initialFocus={focus}>
          <header className={styles.header}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<IconButton icon="close" label="Close" shortcut="Esc" />} />
          </header>
          {scrolls ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
            <section ref={body} className={styles.body} tabIndex={0} aria-label={title}>
              {children}
            </section>
          ) : (
            <div ref={body} className={styles.body}>
              {children}
            </div>
          )}
          {footer && <footer className={styles.footer}>{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** A small form below a button. Escape closes it and moves the focus to a given element. */
interface PopoverProps {
  open: boolean;
  onClose: () => void;
  anchor: RefObject<HTMLElement | null>;
  title: string;
  /** Its first control if absent. */
  initialFocus?: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export function Popover({ open, onClose, anchor, title, initialFocus, finalFocus, children }: PopoverProps) {
  return (
    <BasePopover.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <BasePopover.Portal>
        <BasePopover.Positioner
          anchor={anchor}
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          // A click must not miss its button because something beside the anchor got wider.
          disableAnchorTracking
        >
          <BasePopover.Popup
            className={styles.popover}
            {...(initialFocus ? { initialFocus } : {})}
            finalFocus={() => focusTargetOf(finalFocus.current)}
          >
            <BasePopover.Title className={styles.popoverTitle}>{title}</BasePopover.Title>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
