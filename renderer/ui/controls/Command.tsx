/** A command to copy. */
import styles from './Command.module.css';
import { CopyButton } from './CopyButton.tsx';

export function Command({ text }: { text: string }) {
  return (
    <span className={styles.command}>
      <code className={styles.code}>{text}</code>
      <CopyButton text={text} label="Copy the command" />
    </span>
  );
}
