/** Buttons, with the keys that do the same, and a command to copy. */

import {
  type ButtonHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';
import { classes, writeClipboard } from '../state/page.ts';
import { keyOnKeyboard } from '../text/format.ts';
import { Icon, type IconName } from '../text/Icon.tsx';
import styles from './Button.module.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>;
  icon?: IconName | undefined;
  /** The key to show; it is handled elsewhere. */
  shortcut?: string | undefined;
  tone?: 'plain' | 'primary' | 'quiet';
  /** For a toggle button: whether it is on. */
  pressed?: boolean | undefined;
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
  const key = shortcut === undefined ? '' : ` (${keyOnKeyboard(shortcut)})`;
  return (
    <button
      type="button"
      {...rest}
      className={classes(styles.button, styles[tone], iconOnly && styles.iconOnly, className)}
      aria-pressed={pressed}
      aria-label={rest['aria-label'] ?? (iconOnly ? name : undefined)}
      aria-keyshortcuts={shortcut?.replace('Ctrl', 'Control')}
      title={title ?? (iconOnly && name !== undefined ? `${name}${key}` : undefined)}
    >
      {icon && <Icon name={icon} />}
      {!iconOnly && <span className={styles.label}>{children ?? label}</span>}
      {opensMenu && <Icon name="chevron" />}
      {shortcut !== undefined && !iconOnly && <Kbd className={styles.kbd}>{shortcut}</Kbd>}
    </button>
  );
}

/** A quiet button that shows only its icon. */
export function IconButton(props: ButtonProps) {
  return <Button tone="quiet" iconOnly {...props} />;
}

/** Toggle buttons that answer one question, which is read aloud; the pressed ones are underlined. */
export function ButtonGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend className="visually-hidden">{legend}</legend>
      {children}
    </fieldset>
  );
}

/** Controls of a region that the Tab key stops at once; the arrow keys, Home and End move between them. */
interface OneStopProps {
  label: string;
  children: ReactNode;
  className?: string | undefined;
}

export function OneStop({ label, children, className }: OneStopProps) {
  const group = useRef<HTMLDivElement>(null);
  const last = useRef<HTMLElement | null>(null);
  const settle = () => {
    const all = controlsIn(group.current);
    const stop = all.find((each) => each === last.current) ?? all[0];
    for (const each of all) each.tabIndex = each === stop ? 0 : -1;
  };
  useEffect(() => {
    settle();
    // Controls come and go, and are disabled, without this being drawn again.
    const observer = new MutationObserver(settle);
    observer.observe(group.current!, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => observer.disconnect();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
    const all = controlsIn(group.current);
    const at = all.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    all.at(to % all.length)?.focus();
  };
  return (
    <div
      ref={group}
      className={className ?? styles.oneStop}
      role="toolbar"
      aria-label={label}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        // Not of a menu or form that one of them opened.
        if (!controlsIn(group.current).includes(target)) return;
        last.current = target;
        settle();
      }}
    >
      {children}
    </div>
  );
}

function controlsIn(group: HTMLElement | null): HTMLElement[] {
  return [...(group?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])];
}

/** A key with its name on the keyboard. */
export function Kbd({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus; aria-keyshortcuts tells screen readers
    <kbd className={classes(styles.kbd, className)} aria-hidden="true">
      {typeof children === 'string' ? keyOnKeyboard(children) : children}
    </kbd>
  );
}

const CONFIRMED = {
  copied: { icon: 'check', label: 'Copied' },
  failed: { icon: 'cross', label: 'Not allowed to copy' },
} as const;

/** A button that copies a short text and confirms it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    writeClipboard(text).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  return <IconButton {...(outcome ? CONFIRMED[outcome] : { icon: 'copy', label })} onClick={copy} />;
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
