/** Lists every key of the window, grouped by subject. */

import { Kbd } from '../ui/controls/Button.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import styles from './ActionMenu.module.css';
import { ACTION_GROUPS, declaredActions, type KeyNote } from './action.ts';

export function KeySheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keys" wide scrolls>
      <div className={styles.keyGroups}>
        {ACTION_GROUPS.map((group) => (
          <Group
            key={group}
            title={group}
            entries={declaredActions().filter((each) => each.group === group && each.keys.length > 0)}
          />
        ))}
      </div>
    </Dialog>
  );
}

function Group({ title, entries }: { title: string; entries: readonly KeyNote[] }) {
  return (
    <section className={styles.keyGroup}>
      <h3>{title}</h3>
      <dl>
        {entries.map(({ keys, name }) => (
          <div key={name} className={styles.entry}>
            <dt className={styles.keys}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
