/** Fetches which lines of the shown output agents got; again while it is looked at, as they go on. */

import { useEffect, useMemo, useState } from 'react';
import type { Seen } from '../../shared/activity.ts';
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { rangeOf } from '../differences/differences.ts';
import { isCounted, type Opened } from '../viewer/document/open-document.ts';
import type { Lines } from '../viewer/scrolling/Ruler.tsx';
import type { RowNews } from '../viewer/text/Rows.tsx';

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
