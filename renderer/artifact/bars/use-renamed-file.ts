/** Detects from the list whether the shown file was renamed or is no longer listed. */
import { useMemo, useRef } from 'react';
import type { DocumentState } from '../../../shared/api/rows.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { pathOf } from '../../library/artifact-look.ts';
import type { Entry, LibraryStore } from '../../library/library-store.ts';
import { useArtifact, useLibraryStructure } from '../../library/use-library.ts';
import { useAfter } from '../../ui/state/time-hooks.ts';

interface FileMoves {
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

/** Milliseconds by which the list may show the new name before the view reports that the old one vanished. */
const BEFORE_MS = 3000;

interface GoneArtifact {
  artifact: Artifact;
  /** Times at which it was listed and vanished, in milliseconds since 1970. */
  since: number;
  at: number;
}

/**
 * A renamed file keeps its birth time, does not shrink, and is listed under its new name when the old one vanishes.
 * Files born in the same millisecond were listed together.
 */
export function renamedTo(
  sorted: readonly Entry[],
  { artifact: gone, since: known, at }: GoneArtifact,
): Artifact | null {
  const size = gone.streams[0]?.total_bytes ?? 0;
  const found = sorted.filter(
    ({ artifact, since }) =>
      since >= at - BEFORE_MS &&
      since > known &&
      artifact.kind === 'file' &&
      artifact.started_at === gone.started_at &&
      artifact.artifact_id !== gone.artifact_id &&
      pathOf(artifact) !== pathOf(gone) &&
      (artifact.streams[0]?.total_bytes ?? 0) >= size,
  );
  // With several candidates, the new name is unknown.
  return found.length === 1 ? (found[0]?.artifact ?? null) : null;
}
