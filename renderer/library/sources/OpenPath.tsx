/** A field for the path of a file or directory of this machine. */
import { type FormEvent, type KeyboardEvent, type Ref, useRef, useState } from 'react';
import { toSpillwayError } from '../../../shared/errors.ts';
import { ActionButton } from '../../commands/ActionButton.tsx';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { sentence } from '../../ui/words/format.ts';
import { type ListContext, listActions } from '../actions.ts';
import styles from './OpenPath.module.css';

interface OpenPathProps {
  ref: Ref<HTMLInputElement>;
  onOpened: (artifactId: string) => void;
  /** Moves the focus to the text, for Escape; returns false if it stays. */
  onLeave: () => boolean;
  list: ListContext;
}

export function OpenPath({ ref, onOpened, onLeave, list }: OpenPathProps) {
  const connection = useConnection();
  const [path, setPath] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** Counts Escapes: an answer to what was typed before is not shown. */
  const escapes = useRef(0);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = path.trim();
    if (!connection || busy || wanted === '') return;
    setBusy(true);
    const before = escapes.current;
    try {
      const { artifacts } = await connection.request('open_path', { path: wanted });
      if (escapes.current !== before) return;
      const [first] = artifacts;
      if (!first) return setProblem('There is nothing to show in that folder.');
      setPath('');
      setProblem(null);
      onOpened(first.artifact_id);
    } catch (error) {
      if (escapes.current === before) setProblem(sentence(toSpillwayError(error).message));
    } finally {
      setBusy(false);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    escapes.current += 1;
    setPath('');
    setProblem(null);
    if (!onLeave()) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        ref={ref}
        className={styles.field}
        label="Path of a file or folder to open"
        hideLabel
        placeholder={`Open path… (${listActions.open.keys[0]})`}
        aria-keyshortcuts={listActions.open.keys[0]}
        problem={problem}
        value={path}
        onChange={(event) => {
          setPath(event.target.value);
          setProblem(null);
        }}
        onKeyDown={onKeyDown}
      />
      <ActionButton tone="quiet" iconOnly action={listActions.sources} context={list} />
      <Button type="submit" icon="open" disabled={!connection || busy || path.trim() === ''}>
        Open
      </Button>
    </form>
  );
}
