/** A 28 px button with text, an icon or both, and its key. */
import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon, type IconName } from '../words/Icon.tsx';
import styles from './Button.module.css';
import { Kbd } from './Kbd.tsx';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>;
  icon?: IconName;
  /** The key to show; it is handled elsewhere. */
  shortcut?: string;
  tone?: 'plain' | 'primary' | 'quiet';
  /** For a toggle button: whether it is on. */
  pressed?: boolean;
  /** Shows the label only in the tooltip and to assistive technology. */
  iconOnly?: boolean;
  label?: string;
  /** Shows an arrow: a menu opens below it. */
  opensMenu?: boolean;
}

export function Button({
  icon,
  shortcut,
  tone = 'plain',
  pressed,
  iconOnly = false,
  label,
  opensMenu = false,
  children,
  className,
  title,
  ...rest
}: ButtonProps) {
  const name = label ?? (typeof children === 'string' ? children : undefined);
  return (
    <button
      type="button"
      {...rest}
      className={[styles.button, styles[tone], iconOnly && styles.iconOnly, className]
        .filter(Boolean)
        .join(' ')}
      aria-pressed={pressed}
      aria-label={rest['aria-label'] ?? (iconOnly ? name : undefined)}
      aria-keyshortcuts={shortcut === undefined ? undefined : ariaKeys(shortcut)}
      title={title ?? (iconOnly && name !== undefined ? withKey(name, shortcut) : undefined)}
    >
      {icon && <Icon name={icon} />}
      {!iconOnly && <span className={styles.label}>{children ?? label}</span>}
      {opensMenu && <Icon name="chevron" />}
      {shortcut !== undefined && !iconOnly && <Kbd className={styles.kbd}>{shortcut}</Kbd>}
    </button>
  );
}

function withKey(name: string, shortcut: string | undefined): string {
  return shortcut === undefined ? name : `${name} (${shortcut})`;
}

function ariaKeys(shortcut: string): string {
  return shortcut.replace('Ctrl', 'Control');
}
