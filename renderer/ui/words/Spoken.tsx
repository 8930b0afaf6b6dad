/** Words for assistive technology alone, where the screen has an icon or a place. They join the accessible name. */
import styles from './Spoken.module.css';

export function Spoken({ text }: { text: string }) {
  return <span className={styles.spoken} data-spoken={text} />;
}
