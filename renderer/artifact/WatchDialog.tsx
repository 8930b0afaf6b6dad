/** Asks what of a text to notify of: a line that matches, its end, silence. */

import { type FormEvent, type RefObject, useRef, useState } from 'react';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { declareActions } from '../actions/action.ts';
import { NO_SEARCH, queryOf, type SearchSettings } from '../search/search-settings.ts';
import { Button } from '../ui/controls/Button.tsx';
import { Field, Switch } from '../ui/controls/Field.tsx';
import { Dialog } from '../ui/layout/Dialog.tsx';
import { useStore } from '../ui/state/store.ts';
import styles from './ArtifactView.module.css';
import { askToNotify, setWatch, type Watch, watches } from './watches.ts';

interface WatchContext {
  document: DocumentRef;
  /** The key of the stored watch (`settingsKey`). */
  watchKey: string;
  artifact: Artifact | null;
  name: string;
  /** The search of the text: its pattern is offered. */
  settings: SearchSettings;
  isOpen: boolean;
  setOpen: (open: boolean) => void;
  say: (text: string) => void;
}

export const watchActions = declareActions<WatchContext>('View')({
  watch: {
    name: 'Notify when a line matches, it ends, or nothing more comes',
    label: 'Notify me',
    words: 'notification alert watch',
    icon: 'clock',
    keys: ['Alt+T'],
    isOn: ({ watchKey }) => watchKey in watches.get(),
    run: ({ setOpen }) => setOpen(true),
  },
});

const MAX_SECONDS = 86_400;

export function WatchDialog({ context }: { context: WatchContext }) {
  const { isOpen, setOpen } = context;
  const first = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={isOpen} onClose={() => setOpen(false)} title="Notify me" initialFocus={first}>
      <WatchForm context={context} first={first} />
    </Dialog>
  );
}

function WatchForm({ context, first }: { context: WatchContext; first: RefObject<HTMLInputElement | null> }) {
  const { document, watchKey, artifact, name, settings, setOpen, say } = context;
  const watch = useStore(watches)[watchKey] ?? null;
  const [pattern, setPattern] = useState(watch?.query?.pattern ?? settings.pattern);
  const [end, setEnd] = useState(watch?.end ?? artifact?.status === 'running');
  const [seconds, setSeconds] = useState(watch?.silence ? String(watch.silence) : '');
  const silence = seconds.trim() === '' ? null : Number(seconds);
  const isNumber = silence === null || (Number.isInteger(silence) && silence >= 1 && silence <= MAX_SECONDS);

  const start = (event: FormEvent) => {
    event.preventDefault();
    if (!isNumber) return;
    // The switches of the search belong to its pattern.
    const query = queryOf({ ...(pattern === settings.pattern ? settings : NO_SEARCH), pattern, within: [] });
    const next: Watch = { document, name, query, end, silence };
    askToNotify();
    setWatch(watchKey, query || end || silence !== null ? next : null);
    setOpen(false);
    say(query || end || silence !== null ? 'You will be notified' : 'You will not be notified');
  };

  return (
    <form className={styles.watchForm} onSubmit={start}>
      <Field
        ref={first}
        code
        label="When a further line matches"
        placeholder="A regular expression"
        value={pattern}
        onChange={(event) => setPattern(event.target.value)}
      />
      {artifact?.status === 'running' && (
        <div className={styles.watchRow}>
          When it ends
          <Switch label="When it ends" checked={end} onChange={setEnd} />
        </div>
      )}
      <Field
        label="When nothing was written for so many seconds"
        inputMode="numeric"
        placeholder="never"
        value={seconds}
        problem={isNumber ? null : `Enter a number from 1 to ${MAX_SECONDS}`}
        onChange={(event) => setSeconds(event.target.value)}
      />
      <div className={styles.watchRow}>
        {watch && (
          <Button
            onClick={() => {
              setWatch(watchKey, null);
              setOpen(false);
              say('You will not be notified');
            }}
          >
            Stop
          </Button>
        )}
        <Button type="submit" tone="primary" shortcut="Enter">
          Notify me
        </Button>
      </div>
    </form>
  );
}
