/** Reports a change that was made: whether the server answers, and what the agent's own list says. */
import type { ConnectResult } from '../../shared/agents/clients.ts';
import { formatDuration } from '../../shared/text/format.ts';
import { Icon } from '../ui/words/Icon.tsx';
import styles from './Outcome.module.css';

export function Outcome({ result, removed }: { result: ConnectResult; removed: boolean }) {
  const { name, handshake, list, notes, record, usable } = result;
  if (removed) return <Line ok text={`${name} is as it was before.`} />;
  return (
    <div role="status">
      {handshake?.ok === false || usable === false ? (
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
      {list !== null && <Line ok={usable !== false} text={`${name} says: ${list}`} />}
      {record !== null && usable !== false && (
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
    <p className={ok ? styles.line : `${styles.line} ${styles.failed}`}>
      <Icon name={ok ? 'check' : 'warn'} />
      <span>{text}</span>
    </p>
  );
}
