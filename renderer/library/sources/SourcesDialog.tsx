/** Lists opened paths, to remove them or let agents read them. */
import { useCallback, useEffect, useState } from 'react';
import type { OpenedSource } from '../../../shared/api/api.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import { plural } from '../../../shared/text/format.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Switch } from '../../ui/controls/Switch.tsx';
import { Dialog } from '../../ui/layout/Dialog.tsx';
import { sentence } from '../../ui/words/format.ts';
import { Icon } from '../../ui/words/Icon.tsx';
import { MiddleText } from '../../ui/words/MiddleText.tsx';
import { listActions } from '../actions.ts';
import styles from './SourcesDialog.module.css';

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
        {sources?.map(({ path, agents, is_file: isFile, artifact_count: count }) => (
          <li key={path} className={styles.source}>
            <Icon name={isFile ? 'file' : 'open'} />
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

interface OpenedSourcesState {
  /** Null until the host answers. */
  sources: readonly OpenedSource[] | null;
  problem: string | null;
  remove: (path: string) => void;
  letAgents: (path: string, agents: boolean) => void;
}

/** Lists the opened paths that the host remembers, removes them, and lets agents read them. */
function useOpenedSources(): OpenedSourcesState {
  const connection = useConnection();
  const [sources, setSources] = useState<readonly OpenedSource[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const change = useCallback(
    async (first: () => Promise<unknown>) => {
      if (!connection) return;
      try {
        await first();
        setSources((await connection.request('opened_sources', {})).sources);
        setProblem(null);
      } catch (error) {
        const { code, message } = toSpillwayError(error);
        if (code !== 'cancelled') setProblem(sentence(message));
      }
    },
    [connection],
  );
  useEffect(() => void change(async () => {}), [change]);

  const remove = (path: string) => void change(async () => connection?.request('remove_source', { path }));
  const letAgents = (path: string, agents: boolean) =>
    void change(async () => connection?.request('open_path', { path, agents }));
  return { sources, problem, remove, letAgents };
}
