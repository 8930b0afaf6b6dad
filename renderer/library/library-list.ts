/** The artifacts there are, kept as the host tells of changes: newest first, found by their words. */
import type { LibraryEvent } from '../../shared/api/api.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { nameOf, pathOf, timeOf } from './artifact-look.ts';

export interface Library {
  /** False until the host has told for the first time. */
  known: boolean;
  byId: ReadonlyMap<string, Artifact>;
  /** Newest first. */
  artifacts: readonly Artifact[];
}

export const NO_LIBRARY: Library = { known: false, byId: new Map(), artifacts: [] };

export function applyEvent(library: Library, event: LibraryEvent): Library {
  const byId = new Map(event.reset ? [] : library.byId);
  for (const id of event.removed) byId.delete(id);
  for (const artifact of event.changed) byId.set(artifact.artifact_id, artifact);
  return { known: true, byId, artifacts: [...byId.values()].sort(newestFirst) };
}

function newestFirst(a: Artifact, b: Artifact): number {
  // ISO 8601 in UTC sorts as text.
  return compare(timeOf(b) ?? '', timeOf(a) ?? '') || compare(a.artifact_id, b.artifact_id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Those that hold every word of `query` somewhere, in any case. */
export function filterArtifacts(artifacts: readonly Artifact[], query: string): readonly Artifact[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return artifacts;
  return artifacts.filter((artifact) => {
    const text = searchable(artifact);
    return words.every((word) => text.includes(word));
  });
}

function searchable(artifact: Artifact): string {
  return [
    nameOf(artifact),
    artifact.label,
    artifact.artifact_id,
    artifact.session,
    artifact.source,
    artifact.cwd,
    pathOf(artifact),
    artifact.kind,
    artifact.status.replace('_', ' '),
  ]
    .filter(Boolean)
    .join('\n')
    .toLowerCase();
}

/** What to show when nothing was asked for: the file a person opened last, else the newest of all. */
export function firstToShow(library: Library): string | null {
  const opened = library.artifacts.find(
    (artifact) =>
      artifact.kind === 'file' && artifact.source !== null && artifact.source === pathOf(artifact),
  );
  return (opened ?? library.artifacts[0])?.artifact_id ?? null;
}
