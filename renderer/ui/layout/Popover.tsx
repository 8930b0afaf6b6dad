/** A small form below a button. Escape closes it and moves the focus to a given element. */
import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import { focusTargetOf } from '../state/focus-message.ts';
import styles from './Popover.module.css';

interface PopoverProps {
  open: boolean;
  onClose: () => void;
  anchor: RefObject<HTMLElement | null>;
  title: string;
  initialFocus: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export function Popover({ open, onClose, anchor, title, initialFocus, finalFocus, children }: PopoverProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} side="bottom" align="start" sideOffset={4} collisionPadding={8}>
          <Base.Popup
            className={styles.popup}
            initialFocus={initialFocus}
            finalFocus={() => focusTargetOf(finalFocus.current)}
          >
            <Base.Title className={styles.title}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
