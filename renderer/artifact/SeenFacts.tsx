/** Shows which agents got which share of an output. */

import { callerName, type Seen } from '../../shared/activity.ts';
import { formatBytes, formatCount, plural } from '../../shared/text/format.ts';
import { Age } from '../ui/text/Facts.tsx';
import styles from './ArtifactView.module.css';

export function SeenFacts({ seen }: { seen: Seen | null }) {
  if (seen === null) return null;
  const { agents, unread, total_tokens: tokens, total_bytes } = seen;
  return (
    <section className={styles.seenBy} data-seen-by="">
      <h3>Read by agents</h3>
      {unread && (
        <p data-unread="">
          {agents.length === 0 ? 'No agent read it.' : 'Unread: no agent got more of it than the preview.'}
        </p>
      )}
      <ul>
        {agents.map((one) => (
          <li key={`${one.agent} ${one.session} ${one.last_at}`}>
            <strong>{callerName(one.agent)}</strong> {shareWords(one.share)} in {plural(one.calls, 'call')},
            about {formatCount(one.tokens)} of {formatCount(tokens)} tokens
            <span className={styles.hint}>
              {' '}
              · {one.session} · <Age iso={one.last_at} />
            </span>
          </li>
        ))}
      </ul>
      {agents.length === 0 && (
        <p className={styles.hint}>
          All of it is about {formatCount(tokens)} tokens ({formatBytes(total_bytes)}).
        </p>
      )}
    </section>
  );
}

function shareWords(share: number | null): string {
  if (share === null) return 'a part';
  if (share === 0) return 'no line';
  if (share >= 1) return 'all of it';
  return share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`;
}
