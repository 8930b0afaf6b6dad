/** Shows a match beyond the shown part of its line, with the text around it. */
import { inOrder } from '../../../shared/text/escape.ts';
import { formatCount } from '../../../shared/text/format.ts';
import styles from './DeepMatchText.module.css';
import type { DeepMatch } from './deep-match.ts';
import text from './RowText.module.css';

export function DeepMatchText({ deep, current }: { deep: DeepMatch; current: boolean }) {
  return (
    <span className={styles.deep} data-deep="">
      <span className={styles.column}>column {formatCount(deep.column)}</span>
      {inOrder(deep.before)}
      <mark className={`${text.match} ${text.start} ${text.end} ${current ? text.current : ''}`}>
        {inOrder(deep.match)}
      </mark>
      {inOrder(deep.after)}
    </span>
  );
}
