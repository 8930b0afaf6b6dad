/** Finds the new name of a file that vanished from its path. */
import type { Artifact } from '../../../shared/artifact.ts';
import { pathOf } from '../../library/artifact-look.ts';
import type { Entry } from '../../library/library-store.ts';

/** Milliseconds: the list may tell of the new name before the view tells that the old one is gone. */
const BEFORE_MS = 3000;

export interface GoneArtifact {
  artifact: Artifact;
  /** When it came to the list, and when it was gone, in milliseconds since 1970. */
  since: number;
  at: number;
}

/**
 * A file keeps its birth time when it is renamed, and its size does not shrink; and its new name comes to the list when
 * the old one goes. Files that were born in the same millisecond came to the list together.
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
  // Several candidates: any could be it.
  return found.length === 1 ? (found[0]?.artifact ?? null) : null;
}
