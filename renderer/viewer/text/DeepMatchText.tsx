/** Shows a match that lies beyond the shown part of its line, with the text around it. */
import { inOrder } from '../../../shared/text/escape.ts';
import { formatCount } from '../../../shared/text/format.ts';
import styles from './DeepMatchText.module.css';
import type { DeepMatch } from './deep-match.ts';

export function DeepMatchText({ deep, current }: { deep: DeepMatch; current: boolean }) {
  return (
    <span className={styles.deep} data-deep="">
      <span className={styles.column}>column {formatCount(deep.column)}</span>
      {inOrder(deep.before)}
      <mark className={current ? `${styles.match} ${styles.current}` : styles.match}>
        {inOrder(deep.match)}
      </mark>
      {inOrder(deep.after)}
    </span>
  );
}
