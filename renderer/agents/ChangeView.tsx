/** Shows the change that a choice makes to an agent's configuration, makes it, and reports how that went. */

import { useEffect, useState } from 'react';
import type { ClientChange, ConnectResult } from '../../shared/agents.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { formatDuration } from '../../shared/text/format.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { sentence } from '../ui/text/format.ts';
import { Icon } from '../ui/text/Icon.tsx';
import styles from './AgentsDialog.module.css';

type Change = ConnectResult['changes'][number];

export function ChangeView({ result }: { result: ConnectResult }) {
  const { changes, notes, record, record_before: before } = result;
  const isSame = changes.length === 0 && record === before;
  return (
    <section aria-label="The change" className={styles.change}>
      <h3>{isSame ? 'Nothing changes' : 'This changes'}</h3>
      {record !== before && <p>{recordingWords(record)}</p>}
      {changes.map((change) => (
        <File key={change.path} change={change} />
      ))}
      {notes.map((note) => (
        <p key={note}>Note: {note}.</p>
      ))}
    </section>
  );
}

function recordingWords(record: ConnectResult['record']): string {
  if (record === null) return 'Its commands are no longer recorded.';
  return record === 'preview'
    ? 'Its commands are recorded, and long output reaches it as a preview.'
    : 'Its commands are recorded, and all output reaches it unchanged.';
}

function File({ change: { path, made, removed, lines } }: { change: Change }) {
  return (
    <figure className={styles.file}>
      <figcaption className={styles.path}>
        {path}
        {(made || removed) && <span className={styles.what}> ({made ? 'new' : 'removed'})</span>}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so keys must reach it */}
      <pre className={styles.lines} tabIndex={0}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are never moved
          <span key={index} className={styles.line} data-sign={line[0]}>
            {`${line}\n`}
          </span>
        ))}
      </pre>
    </figure>
  );
}

/** Reports a change that was made: whether the server answers, and what the agent's own list says. */
export function Outcome({ result, removed }: { result: ConnectResult; removed: boolean }) {
  const { name, handshake, notes, record } = result;
  if (removed) return <Line ok text={`${name} is as it was before.`} />;
  return (
    <div role="status">
      {handshake?.ok === false ? (
        <Line ok={false} text={`${name} has Spillway in its configuration, but cannot use it yet.`} />
      ) : (
        <Line ok text={`${name} is connected. It may have to be restarted.`} />
      )}
      {handshake && (
        <Line
          ok={handshake.ok}
          text={
            handshake.ok
              ? `The server answers in ${formatDuration(handshake.duration_ms)}, started as ${name} starts it.`
              : `The server does not answer: ${handshake.problem}.`
          }
        />
      )}
      {record !== null && (
        <Line
          ok
          text="Commands it runs from now on are recorded. SPILLWAY_OFF=1 in its environment stops that."
        />
      )}
      {notes.map((note) => (
        <Line key={note} ok text={`Note: ${note}.`} />
      ))}
    </div>
  );
}

function Line({ ok, text }: { ok: boolean; text: string }) {
  return (
    <p className={ok ? styles.outcomeLine : `${styles.outcomeLine} ${styles.failed}`}>
      <Icon name={ok ? 'check' : 'warn'} />
      <span>{text}</span>
    </p>
  );
}

/** Asks the host what a choice would change, and makes that change once the person agrees. */
type Choice = ClientChange extends infer Change
  ? Change extends unknown
    ? Omit<Change, 'agreed'>
    : never
  : never;

interface ChangeState {
  /** The change to agree to; null until it is known, and if it can't be made. */
  shown: ConnectResult | null;
  /** The change that was made. */
  done: ConnectResult | null;
  busy: boolean;
  problem: string | null;
  agree: () => void;
}

export function useChange(choice: Choice, onChanged: () => void): ChangeState {
  const connection = useConnection();
  const [shown, setShown] = useState<ConnectResult | null>(null);
  const [done, setDone] = useState<ConnectResult | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = JSON.stringify(choice);

  useEffect(() => {
    if (!connection) return;
    const controller = new AbortController();
    setShown(null);
    setProblem(null);
    connection
      .request('changeClient', { ...(JSON.parse(asked) as Choice), agreed: null } as ClientChange, {
        signal: controller.signal,
      })
      .then(setShown, (error) => {
        if (!controller.signal.aborted) setProblem(sentence(toSpillwayError(error).message));
      });
    return () => controller.abort();
  }, [connection, asked]);

  const agree = () => {
    if (!connection || !shown || busy) return;
    setBusy(true);
    setProblem(null);
    connection
      .request('changeClient', { ...choice, agreed: shown.change_id } as ClientChange)
      .then(
        (result) => {
          setDone(result);
          onChanged();
        },
        (error) => setProblem(sentence(toSpillwayError(error).message)),
      )
      .finally(() => setBusy(false));
  };
  return { shown, done, busy, problem, agree };
}
