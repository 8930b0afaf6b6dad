/** A file in a watched directory, as an artifact. */
import type { Stats } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Artifact, ContentType } from '../../../shared/artifact.ts';
import { birthTime, fileArtifactId } from '../../store/format/ids.ts';

const TYPES: Record<string, ContentType> = {
  '.json': 'json',
  '.log': 'log',
  '.jsonl': 'log',
  '.ndjson': 'log',
};

export interface FileFacts {
  /** When it is not the one that the file wants first. */
  id?: string;
  warnings?: string[];
}

/** What is known of a file without opening it: lines are not counted, the content type is a guess from the name. */
export function fileArtifact(
  realPath: string,
  stats: Stats,
  source: string | null,
  { id, warnings = [] }: FileFacts = {},
): Artifact {
  return {
    artifact_id: id ?? fileArtifactId(realPath, stats),
    kind: 'file',
    label: basename(realPath),
    command: null,
    args: null,
    cwd: null,
    env_names: null,
    session: null,
    source,
    status: 'finished',
    exit_code: null,
    signal: null,
    started_at: birthTime(stats).toISOString(),
    // Some file systems keep times that no date has.
    ended_at: Number.isNaN(stats.mtime.getTime()) ? null : stats.mtime.toISOString(),
    duration_ms: null,
    pinned: false,
    expires_at: null,
    warnings,
    streams: [
      {
        name: 'output',
        file_path: realPath,
        total_lines: null,
        total_bytes: stats.size,
        dropped_bytes: 0,
        content_type: TYPES[extname(realPath).toLowerCase()] ?? 'unknown',
      },
    ],
  };
}
