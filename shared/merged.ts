/** Several artifacts merged into one text. */
import type { Artifact } from './artifact.ts';

export const MAX_MERGED = 32;

const MERGED = 'capture-merged-1970-01-01T00-00-00-';

/** Returns the id of the merged text: the same for the same artifacts in the same order. */
export function mergedId(ids: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const char of ids.join(' ')) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return `${MERGED}${(hash & 0xffffff).toString(16).padStart(6, '0')}`;
}

export function isMergedId(id: string): boolean {
  return id.startsWith(MERGED);
}

/** Facts about a merged text beyond those of its artifacts. */
interface MergedFacts extends Pick<Artifact, 'kind' | 'started_at' | 'warnings'> {
  label: string;
  stream: Pick<Artifact['streams'][number], 'total_lines' | 'total_bytes' | 'content_type'>;
}

/** Returns the merged text as an artifact, which is running while one of its artifacts is. */
export function mergedArtifact(
  id: string,
  parts: readonly Artifact[],
  { stream, ...told }: MergedFacts,
): Artifact {
  return {
    artifact_id: id,
    command: null,
    args: null,
    cwd: null,
    env_names: null,
    session: null,
    source: null,
    origin: null,
    agent: null,
    status: parts.some(({ status }) => status === 'running') ? 'running' : 'finished',
    exit_code: null,
    signal: null,
    ended_at: null,
    duration_ms: null,
    pinned: false,
    expires_at: null,
    cause: null,
    streams: [{ name: 'output', file_path: null, dropped_bytes: 0, ...stream }],
    ...told,
  };
}
