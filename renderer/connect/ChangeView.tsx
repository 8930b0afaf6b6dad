/** The exact change of each configuration file, as removed and added lines. */
import type { ConnectResult } from '../../shared/agents/clients.ts';
import styles from './ChangeView.module.css';

type Change = ConnectResult['changes'][number];

export function ChangeView({ changes, notes }: Pick<ConnectResult, 'changes' | 'notes'>) {
  return (
    <section aria-label="The change" className={styles.change}>
      <h3>{changes.length === 0 ? 'Nothing changes' : 'This changes'}</h3>
      {changes.map((change) => (
        <File key={change.path} change={change} />
      ))}
      {notes.map((note) => (
        <p key={note}>Note: {note}.</p>
      ))}
    </section>
  );
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
