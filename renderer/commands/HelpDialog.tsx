/** Every key there is. */
import { Dialog } from '../ui/Dialog.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import styles from './HelpDialog.module.css';
import { SEARCH_KEYS, SHORTCUTS, TEXT_KEYS } from './shortcuts.ts';

const GROUPS = ['Move', 'Look', 'Search', 'List', 'Window'] as const;

export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keys" wide>
      <div className={styles.groups}>
        {GROUPS.map((group) => (
          <Group
            key={group}
            title={group}
            entries={Object.values(SHORTCUTS).filter((shortcut) => shortcut.group === group)}
          />
        ))}
        <Group title="In the text" entries={TEXT_KEYS} />
        <Group title="While searching" entries={SEARCH_KEYS} />
        <Group
          title="In the list"
          entries={[
            { keys: ['↑', '↓', 'Page Up', 'Page Down', 'Home', 'End'], does: 'Choose' },
            { keys: ['Enter'], does: 'Open and go to the text' },
            { keys: ['←', '→'], does: 'Fold and unfold a group' },
            { keys: ['a … z'], does: 'Filter by what is typed' },
            { keys: ['Esc'], does: 'Clear the filter; close the list where it lies over the text' },
          ]}
        />
      </div>
    </Dialog>
  );
}

function Group({
  title,
  entries,
}: {
  title: string;
  entries: ReadonlyArray<{ keys: readonly string[]; does: string }>;
}) {
  return (
    <section className={styles.group}>
      <h3>{title}</h3>
      <dl>
        {entries.map(({ keys, does }) => (
          <div key={does} className={styles.entry}>
            <dt className={styles.keys}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
