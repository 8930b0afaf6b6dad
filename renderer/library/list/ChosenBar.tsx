/** Actions on the artifacts chosen in the list. */

import { plural } from '../../../shared/text/format.ts';
import { Button } from '../../ui/controls/Button.tsx';
import styles from './ChosenBar.module.css';
import { clearChosen, useChosen } from './chosen.ts';

export function ChosenBar({ onMerge }: { onMerge: (ids: readonly string[]) => void }) {
  const chosen = useChosen();
  if (chosen.length === 0) return null;
  const merge = () => {
    onMerge(chosen);
    clearChosen();
  };
  return (
    <section className={styles.bar} aria-label="Chosen">
      <span className={styles.count} role="status">
        {chosen.length === 1
          ? '1 chosen: choose another to merge'
          : `${plural(chosen.length, 'item')} chosen`}
      </span>
      <Button tone="primary" disabled={chosen.length < 2} onClick={merge}>
        Merge by time
      </Button>
      <Button tone="quiet" icon="close" iconOnly label="Choose none" onClick={clearChosen} />
    </section>
  );
}
