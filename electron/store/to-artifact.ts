/** Turns a capture on disk into the artifact that views show (CONTRACT 5). */
import { type Artifact, CAPTURES_SOURCE, type Stream } from '../../shared/artifact.ts';
import { type CaptureEntry, shownLabel } from './format/entry.ts';
import type { CaptureRecord } from './format/record.ts';

const HOUR_MS = 3_600_000;

interface ToArtifactOptions {
  retentionHours: number;
  /** Returns the line count of a stream that was read, when its record has none. */
  lines?: (stream: string, bytes: number) => number | null;
}

/** A recorder that died has not seen the command's end. */
function isEndKnown({ status, duration_ms }: CaptureRecord): boolean {
  return status !== 'interrupted' || duration_ms !== null;
}

export function toArtifact(entry: CaptureEntry, { retentionHours, lines }: ToArtifactOptions): Artifact {
  const { record, pinned, problem } = entry;
  const ended = record.ended_at === null ? Number.NaN : Date.parse(record.ended_at);
  const stays = pinned || record.status === 'running' || Number.isNaN(ended);
  return {
    artifact_id: entry.id,
    kind: record.kind,
    label: shownLabel(entry),
    command: record.command,
    args: record.args,
    cwd: record.cwd,
    env_names: record.env_names,
    session: record.session === '' ? null : record.session,
    source: CAPTURES_SOURCE,
    origin: record.origin,
    agent: record.agent && { ...record.agent, project: record.cwd, pid: null, truncated: null },
    status: record.status,
    exit_code: record.exit_code,
    signal: record.signal,
    started_at: record.started_at,
    ended_at: isEndKnown(record) ? record.ended_at : null,
    duration_ms: record.duration_ms,
    pinned,
    expires_at: stays ? null : dateOrNull(ended + retentionHours * HOUR_MS),
    cause: record.cause,
    warnings: problem === null ? record.warnings : [...record.warnings, sentence(problem)],
    streams: record.streams.map((stream, i): Stream => {
      const { path, bytes } = entry.streams[i]!;
      return {
        name: stream.name,
        file_path: path,
        total_lines: stream.total_lines ?? lines?.(stream.name, bytes) ?? null,
        total_bytes: bytes,
        dropped_bytes: stream.gap?.bytes ?? 0,
        content_type: stream.content_type,
      };
    }),
  };
}

/** Null past the last date JavaScript has, as with a retention of many years. */
function dateOrNull(ms: number): string | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}: shown is what its files tell`;
}
