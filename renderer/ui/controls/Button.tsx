/** Buttons, with the keys that do the same, and a command to copy. */

import { type ButtonHTMLAttributes, type ReactNode, type Ref, useEffect, useState } from 'react';
import { writeClipboard } from '../state/page.ts';
import { Icon, type IconName } from '../text/Icon.tsx';
import styles from './Button.module.css';

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

/** Toggle buttons that answer one question; the pressed ones are underlined. */
interface ButtonGroupProps {
  /** The question; read aloud, not shown. */
  legend: string;
  children: ReactNode;
}

export function ButtonGroup({ legend, children }: ButtonGroupProps) {
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">{legend}</legend>
      {children}
    </fieldset>
  );
}

/** A key with its name on the keyboard. */
export function Kbd({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus; aria-keyshortcuts tells screen readers
    <kbd className={className ? `${styles.kbd} ${className}` : styles.kbd} aria-hidden="true">
      {children}
    </kbd>
  );
}

/** A button that copies a short text and confirms it. */
const LOOKS = {
  copied: { icon: 'check', label: 'Copied' },
  failed: { icon: 'cross', label: 'Not allowed to copy' },
} as const;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(null), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    writeClipboard(text).then(
      () => setSaid('copied'),
      () => setSaid('failed'),
    );
  const look = said ? LOOKS[said] : ({ icon: 'copy', label } as const);
  return <Button tone="quiet" {...look} iconOnly onClick={copy} />;
}

/** A command to copy. */
export function Command({ text }: { text: string }) {
  return (
    <span className={styles.command}>
      <code className={styles.code}>{text}</code>
      <CopyButton text={text} label="Copy the command" />
    </span>
  );
}
