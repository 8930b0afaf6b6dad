/** Keeps the library up to date from the host's events; unchanged while the host can't be reached. */

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Artifact } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { type LibraryState, LibraryStore } from './library-store.ts';
import { mergedArtifacts, mergedTexts } from './merged-texts.ts';

/** Subscribes to the library. Called once, by the window; components watch the parts they show. */
export function useLibrary(): { library: LibraryStore; tryAgain: () => void } {
  const connection = useConnection();
  const [library] = useState(() => new LibraryStore());
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt subscribes again
  useEffect(() => {
    if (!connection) return;
    library.fail(null);
    return connection.subscribe('library', {}, library.take, (error) => {
      const { code, message } = toSpillwayError(error);
      if (code !== 'cancelled') library.fail(message);
    });
  }, [connection, library, attempt]);
  useEffect(() => {
    const show = () => library.showMerged(mergedArtifacts);
    show();
    return mergedTexts.subscribe(show);
  }, [library]);
  const tryAgain = useCallback(() => setAttempt((last) => last + 1), []);
  return { library, tryAgain };
}

export function useLibraryState(library: LibraryStore): LibraryState {
  return useSyncExternalStore(library.subscribe, library.state);
}

/** Renders again only when artifacts are added, removed or moved. */
export function useLibraryStructure(library: LibraryStore): number {
  const get = useCallback(() => library.state().structure, [library]);
  return useSyncExternalStore(library.subscribe, get);
}

/** Renders again only when this artifact changes; for growth alone, once a second. */
export function useArtifact(library: LibraryStore, id: string): Artifact | null {
  const { subscribe, get } = useMemo(() => steadyArtifact(library, id), [library, id]);
  return useSyncExternalStore(subscribe, get);
}

/** Milliseconds between reports of growth alone. */
const GROWTH_EVERY_MS = 1000;

interface SteadyArtifact {
  subscribe: (listener: () => void) => () => void;
  get: () => Artifact | null;
}

/** Watches one artifact for a view that is drawn as a whole: reports growth alone only once a second. */
export function steadyArtifact(library: Pick<LibraryStore, 'get' | 'subscribe'>, id: string): SteadyArtifact {
  let shown = library.get(id);
  return {
    get: () => shown,
    subscribe(listener) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const show = () => {
        clearTimeout(timer);
        timer = undefined;
        shown = library.get(id);
        listener();
      };
      const look = () => {
        const now = library.get(id);
        if (now === shown) return;
        if (now && shown && isOnlyLonger(shown, now)) timer ??= setTimeout(show, GROWTH_EVERY_MS);
        else show();
      };
      look();
      const unsubscribe = library.subscribe(look);
      return () => {
        clearTimeout(timer);
        unsubscribe();
      };
    },
  };
}

function isOnlyLonger(before: Artifact, now: Artifact): boolean {
  return withoutSizes(before) === withoutSizes(now);
}

/** Serializes an artifact without its sizes and, for a file, its end, which is its last write. */
function withoutSizes(artifact: Artifact): string {
  const streams = artifact.streams.map(({ total_bytes, total_lines, ...stream }) => stream);
  const ended_at = artifact.kind === 'file' ? null : artifact.ended_at;
  return JSON.stringify({ ...artifact, ended_at, streams });
}
