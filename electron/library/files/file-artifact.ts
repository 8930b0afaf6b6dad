/** Makes the artifact of a file. */
import type { Stats } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Artifact, ContentType } from '../../../shared/artifact.ts';
import { birthTime } from '../../store/format/ids.ts';
import type { FileDescription } from '../sources/facts/file-description.ts';
import { namesWithin, type Source, sourceName } from '../sources/source.ts';
import { fileArtifactId } from './file-id.ts';

const TYPES: Record<string, ContentType> = {
  '.json': 'json',
  '.log': 'log',
  '.jsonl': 'log',
  '.ndjson': 'log',
};

export interface FileOptions {
  /** Given when another file has the file's first choice. */
  id?: string;
  warnings?: string[];
  /** Facts from its content and siblings, as far as they were read. */
  told?: FileDescription;
}

/**
 * Returns the artifact of a file without counting its lines: the content type is a guess from the name. Its source
 * may tell more about it, such as the command that wrote it.
 */
export function fileArtifact(
  realPath: string,
  stats: Stats,
  source: Source | null,
  { id, warnings = [], told = {} }: FileOptions = {},
): Artifact {
  const file = { path: realPath, names: source ? namesWithin(source, realPath) : [], stats };
  const description = { ...source?.kind.describe?.(file), ...told };
  const { session = null, project = null, pid = null, truncated = null, ...facts } = description;
  const agent = source?.kind.agent;
  return {
    artifact_id: id ?? fileArtifactId(realPath, stats),
    kind: 'file',
    label: basename(realPath),
    command: null,
    args: null,
    cwd: null,
    env_names: null,
    session: null,
    source: source ? sourceName(source) : null,
    origin: null,
    agent: agent === undefined ? null : { name: agent, session, project, pid, truncated },
    status: 'finished',
    exit_code: null,
    signal: null,
    cause: null,
    started_at: birthTime(stats).toISOString(),
    // Some file systems hold times outside the range of a Date.
    ended_at:
      facts.status === 'running' || Number.isNaN(stats.mtime.getTime()) ? null : stats.mtime.toISOString(),
    duration_ms: null,
    pinned: false,
    expires_at: null,
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
    ...facts,
    warnings: [...(facts.warnings ?? []), ...warnings],
  };
}
