/** Lists opened paths, to remove them or let agents read them. */

import { plural } from '../../../shared/text/format.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Switch } from '../../ui/controls/Switch.tsx';
import { Dialog } from '../../ui/layout/Dialog.tsx';
import { Icon } from '../../ui/words/Icon.tsx';
import { MiddleText } from '../../ui/words/MiddleText.tsx';
import { listActions } from '../actions.ts';
import styles from './SourcesDialog.module.css';
import { useOpenedSources } from './use-opened-sources.ts';

export function SourcesDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Opened files and folders" wide>
      <Sources />
    </Dialog>
  );
}

function Sources() {
  const { sources, problem, remove, letAgents } = useOpenedSources();
  return (
    <>
      <p className={styles.note}>
        They are listed until you remove them. Removing deletes nothing. Agents read only what you let them.
      </p>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {sources?.length === 0 && (
        <p>Nothing is open. Open a file or folder by its path ({listActions.open.keys[0]}).</p>
      )}
      <ul className={styles.sources} aria-label="Opened">
        {sources?.map(({ path, agents, artifact_count: count }) => (
          <li key={path} className={styles.source}>
            <Icon name={count === 1 ? 'file' : 'open'} />
            <span className={styles.path} title={path}>
              <MiddleText text={path} />
            </span>
            <span className={styles.count}>{count === 0 ? 'nothing there' : plural(count, 'file')}</span>
            <span className={styles.agents}>
              Agents may read
              <Switch
                label={`Agents may read ${path}`}
                checked={agents}
                onChange={(next) => letAgents(path, next)}
              />
            </span>
            <Button icon="close" aria-label={`Remove ${path}`} onClick={() => remove(path)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
