/** Opens files and folders by their paths, and lists those that were opened. */

import { Autocomplete } from '@base-ui/react/autocomplete';
import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { OpenedSource } from '../../shared/api/api.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { plural } from '../../shared/text/format.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { Button } from '../ui/controls/Button.tsx';
import { Field, Switch } from '../ui/controls/Field.tsx';
import menu from '../ui/controls/Menu.module.css';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import { desktop } from '../ui/state/page.ts';
import { jsonOf, persisted, useStore } from '../ui/state/store.ts';
import { sentence } from '../ui/text/format.ts';
import { Icon } from '../ui/text/Icon.tsx';
import { MiddleText } from '../ui/text/MiddleText.tsx';
import { listActions } from './list-actions.ts';
import styles from './OpenPath.module.css';

interface OpenDialogProps {
  open: boolean;
  onClose: () => void;
  /** Shows what was opened. */
  onOpened: (artifactId: string) => void;
}

export function OpenDialog({ open, onClose, onOpened }: OpenDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onClose={onClose} title="Open a file or folder" initialFocus={field}>
      <OpenForm
        field={field}
        onClose={onClose}
        onOpened={(id) => {
          onClose();
          onOpened(id);
        }}
      />
    </Dialog>
  );
}

type OpenFormProps = Pick<OpenDialogProps, 'onClose' | 'onOpened'> & {
  field: RefObject<HTMLInputElement | null>;
};

function OpenForm({ field, onClose, onOpened }: OpenFormProps) {
  const connection = useConnection();
  const [path, setPath] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const suggestions = useSuggestions(path);
  // An answer after the dialog was closed is not shown.
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);

  const openAt = async (wanted: string) => {
    if (!connection || busy || wanted === '') return;
    setBusy(true);
    try {
      const [first] = await connection.request('openPath', { path: wanted });
      if (isClosed.current) return;
      if (!first) return setProblem('There is nothing to show in that folder.');
      recentPaths.set([wanted, ...recentPaths.get().filter((each) => each !== wanted)].slice(0, MAX_RECENT));
      onOpened(first.artifact_id);
    } catch (error) {
      setProblem(sentence(toSpillwayError(error).message));
    } finally {
      setBusy(false);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void openAt(path.trim());
  };
  const choose = (what: 'files' | 'folder') => {
    onClose();
    desktop?.chooseToOpen(what);
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <Autocomplete.Root
        inline
        open
        items={suggestions}
        mode="none"
        value={path}
        onValueChange={(value) => {
          setPath(value);
          setProblem(null);
        }}
      >
        <Autocomplete.Input
          render={
            <Field
              ref={field}
              code
              label="Path of a file or folder to open"
              placeholder="/var/log, ~/builds/today.log"
              problem={problem}
            />
          }
        />
        <h3 className={styles.listed} hidden={suggestions.length === 0}>
          {path === '' ? 'Opened before' : 'Matching paths'}
        </h3>
        <Autocomplete.List className={styles.list} aria-label={path === '' ? 'Opened before' : 'Paths'}>
          {(each: string) => (
            <Autocomplete.Item
              key={each}
              className={menu.item}
              value={each}
              // A folder is looked into; Enter opens it.
              onClick={() => (isFolder(each) ? setPath(each) : void openAt(each))}
            >
              <Icon name={isFolder(each) ? 'open' : 'file'} />
              <span className={menu.name} title={each}>
                {each}
              </span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
      <div className={styles.buttons}>
        {desktop && (
          <>
            <Button icon="file" onClick={() => choose('files')}>
              Choose files…
            </Button>
            <Button icon="open" onClick={() => choose('folder')}>
              Choose a folder…
            </Button>
          </>
        )}
        <span className={styles.gap} />
        <Button
          type="submit"
          tone="primary"
          shortcut="Enter"
          disabled={!connection || busy || path.trim() === ''}
        >
          Open
        </Button>
      </div>
    </form>
  );
}

/** Suggested folders end with a separator. */
const isFolder = (path: string) => /[\\/]$/.test(path);

const MAX_RECENT = 20;
/** Paths as they were typed or chosen, the last one first. */
const recentPaths = persisted<readonly string[]>(
  'spillway.paths',
  (text) => {
    const value = jsonOf(text);
    return (Array.isArray(value) ? value : [])
      .filter((each) => typeof each === 'string')
      .slice(0, MAX_RECENT);
  },
  true,
);

/** The paths opened before; of a typed beginning, those it may mean. */
function useSuggestions(typed: string): readonly string[] {
  const connection = useConnection();
  const recent = useStore(recentPaths);
  const [found, setFound] = useState<{ typed: string; paths: readonly string[] }>({ typed: '', paths: [] });
  useEffect(() => {
    if (!connection || typed === '') return;
    const asked = new AbortController();
    connection.request('completePath', { path: typed }, { signal: asked.signal }).then(
      ({ paths }) => setFound({ typed, paths }),
      () => {},
    );
    return () => asked.abort();
  }, [connection, typed]);
  if (typed === '') return recent;
  // Until the next ones are there, those of the last key that still begin so.
  const { paths } = found;
  return found.typed === typed ? paths : paths.filter((path) => path.startsWith(typed));
}

/** Lists opened paths, to remove them or let agents read them. */
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
      <Problem text={problem} />
      {sources?.length === 0 && (
        <p>Nothing is open. Open a file or folder by its path ({listActions.open.keys[0]}).</p>
      )}
      <ul aria-label="Opened">
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
        setSources(await connection.request('openedSources', {}));
        setProblem(null);
      } catch (error) {
        const { code, message } = toSpillwayError(error);
        if (code !== 'cancelled') setProblem(sentence(message));
      }
    },
    [connection],
  );
  useEffect(() => void change(async () => {}), [change]);

  const remove = (path: string) => void change(async () => connection?.request('removeSource', { path }));
  const letAgents = (path: string, agents: boolean) =>
    void change(async () => connection?.request('openPath', { path, agents }));
  return { sources, problem, remove, letAgents };
}
