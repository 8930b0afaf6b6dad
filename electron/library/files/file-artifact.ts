/** Makes the artifact of a file. */

import { hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Artifact, ContentType } from '../../../shared/artifact.ts';
import type { FileDescription, FileState } from '../../agents/facts/described.ts';
import { artifactId, birthTime } from '../../store/format/names.ts';
import { namesWithin, type Source, sourceName } from '../source.ts';

const TYPES: Record<string, ContentType> = {
  '.json': 'json',
  '.log': 'log',
  '.jsonl': 'log',
  '.ndjson': 'log',
};

interface FileOptions {
  /** Given when another file has the file's first choice. */
  id?: string;
  warnings?: string[];
  /** Facts from its content and siblings, as far as they were read. */
  reported?: FileDescription;
}

/**
 * Returns the artifact of a file without counting its lines: the content type is a guess from the name. Its source
 * may tell more about it, such as the command that wrote it.
 */
export function fileArtifact(
  realPath: string,
  stats: FileState,
  source: Source | null,
  { id, warnings = [], reported = {} }: FileOptions = {},
): Artifact {
  const file = { path: realPath, names: source ? namesWithin(source, realPath) : [], stats };
  // Named one by one, as spreading facts over the defaults takes ten times as long.
  const facts: FileDescription = Object.assign(source?.kind.describe?.(file) ?? {}, reported);
  const { session = null, project = null, pid = null, truncated = null, status = 'finished' } = facts;
  const name = file.names.at(-1) ?? basename(realPath);
  const agent = source?.kind.agent;
  return {
    artifact_id: id ?? fileArtifactId(realPath, stats),
    kind: 'file',
    label: facts.label ?? name,
    command: facts.command ?? null,
    args: facts.args ?? null,
    cwd: facts.cwd ?? null,
    env_names: null,
    session: null,
    source: source ? sourceName(source) : null,
    origin: null,
    agent: agent === undefined ? null : { name: agent, session, project, pid, truncated },
    status,
    exit_code: facts.exit_code ?? null,
    signal: null,
    cause: null,
    started_at: facts.started_at ?? birthTime(stats).toISOString(),
    ended_at: status === 'running' ? null : (facts.ended_at ?? writtenAt(stats)),
    duration_ms: facts.duration_ms ?? null,
    pinned: false,
    expires_at: null,
    streams: [
      {
        name: 'output',
        file_path: realPath,
        total_lines: null,
        total_bytes: stats.size,
        dropped_bytes: 0,
        content_type: TYPES[extname(name).toLowerCase()] ?? 'unknown',
      },
    ],
    warnings: facts.warnings ? [...facts.warnings, ...warnings] : warnings,
  };
}

/** Null for a time outside the range of a Date, which some file systems hold. */
function writtenAt({ mtimeMs }: FileState): string | null {
  const time = new Date(mtimeMs);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Compares watched files by their `Stats`, and names them. */
export function stateOf({ size, mtimeMs, ctimeMs, birthtimeMs, ino, dev, mode }: FileState): FileState {
  return { size, mtimeMs, ctimeMs, birthtimeMs, ino, dev, mode };
}

export function isSameState(a: FileState, b: FileState): boolean {
  return (
    a.size === b.size &&
    a.mtimeMs === b.mtimeMs &&
    a.ctimeMs === b.ctimeMs &&
    a.birthtimeMs === b.birthtimeMs &&
    a.ino === b.ino &&
    a.dev === b.dev
  );
}

/**
 * Returns a file's id, the same in every process: its birth time, and a hash of its real path. When another file has
 * that id, `attempt` 1, 2, … give the next candidates (known-files.ts). Apart from other ids: starting a recorded command
 * must not load `node:crypto`.
 */
export function fileArtifactId(realPath: string, stats: Pick<Stats, 'birthtimeMs'>, attempt = 0): string {
  const hashed = attempt === 0 ? realPath : `${realPath}\0${attempt}`;
  const hex = hash('sha256', hashed, 'hex').slice(0, 6);
  return artifactId('file', basename(realPath), birthTime(stats), hex);
}
