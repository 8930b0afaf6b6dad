/** Detects from the list whether the shown file was renamed or is no longer listed. */
import { useMemo, useRef } from 'react';
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import type { LibraryStore } from '../../library/library-store.ts';
import { useArtifact, useLibraryStructure } from '../../library/use-library.ts';
import { useAfter } from '../../ui/state/time-hooks.ts';
import { renamedTo } from './renamed.ts';

export interface FileMoves {
  renamed: Artifact | null;
  unlisted: boolean;
}

/** Milliseconds to wait, as a list lacks most of its artifacts while it is read again. */
const SURE_MS = 2000;

export function useRenamedFile(library: LibraryStore, state: DocumentState | null): FileMoves {
  const structure = useLibraryStructure(library);
  const id = state?.artifact.artifact_id ?? '';
  const listed = useArtifact(library, id) !== null;
  /** The file as last listed, and since when. */
  const seen = useRef<{ id: string; since: number } | null>(null);
  if (listed) seen.current = { id, since: library.entry(id)?.since ?? 0 };
  const missing = !listed && seen.current?.id === id && state?.condition === 'ok';

  const goneAt = useRef<number | null>(null);
  const vanished = state?.condition === 'vanished';
  if (!vanished) goneAt.current = null;
  else goneAt.current ??= Date.now();
  const gone = vanished ? state.artifact : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the structure says that the sorted ones changed
  const renamed = useMemo(() => {
    if (!gone || goneAt.current === null) return null;
    const since = seen.current?.since ?? 0;
    return renamedTo(library.sorted, { artifact: gone, since, at: goneAt.current });
  }, [library, structure, gone]);
  return { renamed, unlisted: useAfter(SURE_MS, missing) };
}
