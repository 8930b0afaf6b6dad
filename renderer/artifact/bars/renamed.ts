/** Finds the new name of a file that vanished from its path. */
import type { Artifact } from '../../../shared/artifact.ts';
import { pathOf } from '../../library/artifact-look.ts';
import type { Entry } from '../../library/library-store.ts';

/** Milliseconds by which the list may show the new name before the view reports that the old one vanished. */
const BEFORE_MS = 3000;

export interface GoneArtifact {
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
