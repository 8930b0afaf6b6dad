/** Shows the exact change: of recording, and of each configuration file as removed and added lines. */
import type { ConnectResult } from '../../shared/agents/clients.ts';
import styles from './ChangeView.module.css';

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
