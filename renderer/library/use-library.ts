/** Keeps the library up to date from the host's events; unchanged while the host can't be reached. */
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Artifact } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { type LibraryState, LibraryStore } from './library-store.ts';
import { mergedArtifacts, mergedTexts } from './merged/merged-texts.ts';
import { steadyArtifact } from './steady-artifact.ts';

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
