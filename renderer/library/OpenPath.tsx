/** Opens files and folders by their paths, and lists those that were opened. */

import { Autocomplete } from '@base-ui/react/autocomplete';
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { OpenedSource } from '../../shared/api/api.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { plural } from '../../shared/text/format.ts';
import { ActionIcon } from '../actions/ActionMenu.tsx';
import { useConnection } from '../connection/HostProvider.tsx';
import { Button } from '../ui/controls/Button.tsx';
import { Field, Switch } from '../ui/controls/Field.tsx';
import menu from '../ui/controls/Menu.module.css';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { Problem } from '../ui/layout/Message.tsx';
import { jsonOf, persisted, useStore } from '../ui/state/store.ts';
import { sentence } from '../ui/text/format.ts';
import { Icon } from '../ui/text/Icon.tsx';
import { MiddleText } from '../ui/text/MiddleText.tsx';
import { type ListContext, listActions } from './list-actions.ts';
import styles from './OpenPath.module.css';

export function OpenPath({ list }: { list: ListContext }) {
  const connection = useConnection();
  const [path, setPath] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** Counts Escapes: an answer to what was typed before is not shown. */
  const escapes = useRef(0);

  const [isListing, setListing] = useState(false);
  const suggestions = useSuggestions(path);

  const openAt = async (wanted: string) => {
    if (!connection || busy || wanted === '') return;
    setListing(false);
    setBusy(true);
    const before = escapes.current;
    try {
      const artifacts = await connection.request('openPath', { path: wanted });
      if (escapes.current !== before) return;
      const [first] = artifacts;
      if (!first) return setProblem('There is nothing to show in that folder.');
      recentPaths.set([wanted, ...recentPaths.get().filter((each) => each !== wanted)].slice(0, MAX_RECENT));
      setPath('');
      setProblem(null);
      list.open(first.artifact_id, 'enter');
    } catch (error) {
      if (escapes.current === before) setProblem(sentence(toSpillwayError(error).message));
    } finally {
      setBusy(false);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void openAt(path.trim());
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // The first Escape closes the suggestions.
    if (event.key !== 'Escape' || (isListing && suggestions.length > 0)) return;
    escapes.current += 1;
    setPath('');
    setProblem(null);
    if (!list.leave()) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <Autocomplete.Root
        items={suggestions}
        mode="none"
        value={path}
        open={isListing && suggestions.length > 0}
        // After a choice, `onValueChange` decides.
        onOpenChange={(open, { reason }) => reason !== 'item-press' && setListing(open)}
        openOnInputClick
        onValueChange={(value, { reason }) => {
          setPath(value);
          setProblem(null);
          if (reason !== 'item-press') return setListing(value !== '');
          // A folder is looked into; Enter opens it.
          if (isFolder(value)) setListing(true);
          else void openAt(value);
        }}
      >
        <Autocomplete.Input
          render={
            <Field
              ref={list.path}
              className={styles.field}
              label="Path of a file or folder to open"
              hideLabel
              placeholder={`Open path… (${listActions.open.keys[0]})`}
              aria-keyshortcuts={listActions.open.keys[0]}
              problem={problem}
            />
          }
          onKeyDown={onKeyDown}
        />
        <Autocomplete.Portal>
          <Autocomplete.Positioner side="top" align="start" sideOffset={4} collisionPadding={8}>
            <Autocomplete.Popup className={menu.popup}>
              <Autocomplete.List aria-label={path === '' ? 'Opened before' : 'Paths'}>
                {(each: string) => (
                  <Autocomplete.Item key={each} className={menu.item} value={each}>
                    <Icon name={isFolder(each) ? 'open' : 'file'} />
                    <span className={menu.name}>{each}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
      <ActionIcon action={listActions.sources} context={list} />
      <Button type="submit" icon="open" disabled={!connection || busy || path.trim() === ''}>
        Open
      </Button>
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
