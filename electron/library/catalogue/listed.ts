/** The few facts that the catalogue holds of each artifact: thousands of files are found before one is shown. */
import type { Artifact, Kind } from '../../../shared/artifact.ts';

export interface Listed {
  readonly artifact_id: string;
  /** Milliseconds since 1970, by which the list is ordered; -Infinity when not known. */
  readonly startedMs: number;
  readonly kind: Kind;
  /** `source` of the artifact. */
  readonly sourceName: string | null;
  readonly command: string | null;
  /** Size of all streams together. */
  readonly bytes: number;
  /** Made when it is first asked for, and then kept. */
  readonly artifact: Artifact;
}

export function listed(artifact: Artifact): Listed {
  const { artifact_id, started_at, kind, source, command, streams } = artifact;
  const bytes = streams.reduce((sum, { total_bytes }) => sum + total_bytes, 0);
  return { artifact_id, startedMs: startMs(started_at), kind, sourceName: source, command, bytes, artifact };
}

/** Milliseconds since 1970 of an artifact's `started_at`. */
export function startMs(startedAt: string | null): number {
  const ms = startedAt === null ? Number.NaN : Date.parse(startedAt);
  return Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms;
}

/** Equal times are ordered by id, so pages are stable. */
export function newestFirst(
  a: Pick<Listed, 'artifact_id' | 'startedMs'>,
  b: Pick<Listed, 'artifact_id' | 'startedMs'>,
): number {
  if (a.startedMs !== b.startedMs) return a.startedMs < b.startedMs ? 1 : -1;
  return a.artifact_id < b.artifact_id ? -1 : 1;
}
