/** Shows which agents got which share of an output. */

import { useEffect, useMemo, useState } from 'react';
import { callerName, type Seen } from '../../shared/activity.ts';
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { formatBytes, formatCount, plural } from '../../shared/text/format.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { rangeOf } from '../differences/differences.ts';
import { Age } from '../ui/text/MiddleText.tsx';
import { isCounted, type Opened } from '../viewer/document/open-document.ts';
import type { Lines } from '../viewer/scrolling/Ruler.tsx';
import type { RowNews } from '../viewer/text/Rows.tsx';
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

// Fetches which lines of the shown output agents got; again while it is looked at, as they go on.

/** Milliseconds between the text and the first question, and between two. */
const AFTER_TEXT_MS = 200;
const AGAIN_MS = 2000;

export interface SeenLines {
  /** In a reply, rising and apart. */
  shown: readonly Lines[];
  /** The others were searched. */
  searched: boolean;
}

export interface SeenByAgents {
  /** Null until it is known. */
  seen: Seen | null;
  /** The lines of the shown stream that agents read; null if none did. */
  lines: SeenLines | null;
}

export function useSeen(artifact: Artifact | null, stream: StreamName | null, opened: Opened): SeenByAgents {
  const connection = useConnection();
  const id = artifact?.artifact_id ?? null;
  const [seen, setSeen] = useState<Seen | null>(null);
  const isShown = opened.snapshot.state !== null && isCounted(opened.snapshot);
  useEffect(() => {
    setSeen(null);
    if (id === null || !connection || !isShown) return;
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let last = '';
    const ask = async () => {
      if (document.visibilityState === 'visible') {
        const found = await connection
          .request('seen', { artifact_id: id }, { signal: ended.signal })
          .catch(() => null);
        if (ended.signal.aborted) return;
        const text = JSON.stringify(found);
        if (found && text !== last) setSeen(found);
        last = text;
      }
      timer = setTimeout(ask, AGAIN_MS);
    };
    timer = setTimeout(ask, AFTER_TEXT_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [id, connection, isShown]);
  const lines = useMemo(() => seen && artifact && linesOf(seen, artifact, stream), [seen, artifact, stream]);
  return { seen, lines };
}

/** Returns the read lines of a stream, by its own numbers. A stream that has all of the output has two names. */
export function linesOf(
  { streams }: Pick<Seen, 'streams'>,
  artifact: Pick<Artifact, 'streams'>,
  stream: StreamName | null,
): SeenLines | null {
  const isOnly = artifact.streams.filter(({ total_bytes }) => total_bytes > 0).length <= 1;
  const found = streams.find((one) => one.stream === stream) ?? (isOnly ? streams[0] : undefined);
  return found ? { shown: found.in_reply, searched: found.searched } : null;
}

/** Adds to the news of rows whether agents saw them. */
export function useSeenRows(news: RowNews | null, lines: SeenLines | null): RowNews | null {
  return useMemo(() => {
    if (!lines) return news;
    const { shown, searched } = lines;
    return {
      newsOf: (line) => news?.newsOf(line) ?? null,
      missingAbove: (line) => news?.missingAbove(line) ?? 0,
      missingBelow: (line) => news?.missingBelow(line) ?? 0,
      seenOf: (line) => (rangeOf(shown, line) >= 0 ? 'shown' : searched ? 'searched' : null),
    };
  }, [news, lines]);
}
