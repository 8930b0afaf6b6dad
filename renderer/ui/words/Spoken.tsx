/**
 * Words only for assistive technology, where the screen shows them by an icon or position. They join the accessible
 * name.
 */
import styles from './Spoken.module.css';

export function Spoken({ text }: { text: string }) {
  return <span className={styles.spoken} data-spoken={text} />;
}
