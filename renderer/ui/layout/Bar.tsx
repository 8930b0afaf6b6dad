/** A message above the text: what happened and what to do, with buttons for it. */
import type { ReactNode } from 'react';
import { Button } from '../controls/Button.tsx';
import { Icon, type IconName } from '../words/Icon.tsx';
import styles from './Bar.module.css';

type BarTone = 'informed' | 'warned' | 'failed';

interface BarProps {
  tone: BarTone;
  /** One word with the meaning of the colour. */
  word: string;
  children: ReactNode;
  actions?: ReactNode;
  onDismiss?: () => void;
}

const ICONS: Record<BarTone, IconName> = { informed: 'details', warned: 'warn', failed: 'cross' };

export function Bar({ tone, word, children, actions, onDismiss }: BarProps) {
  return (
    <div className={`${styles.bar} ${styles[tone]}`} role={tone === 'failed' ? 'alert' : 'status'}>
      <span className={styles.word}>
        <Icon name={ICONS[tone]} />
        {word}
      </span>
      <span className={styles.text}>{children}</span>
      {actions}
      {onDismiss && <Button tone="quiet" icon="close" iconOnly label="Dismiss" onClick={onDismiss} />}
    </div>
  );
}
