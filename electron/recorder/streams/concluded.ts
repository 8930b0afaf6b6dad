/** Changes a record: the outcome of its command, a gap of a stream. */
import type { Cause, Status } from '../../../shared/artifact.ts';
import type { CaptureRecord, Gap } from '../../store/format/record.ts';

export interface CommandOutcome {
  status: Status;
  exit_code?: number | null;
  signal?: string | null;
  warnings?: readonly string[];
  /** The line that best explains the failure. */
  cause?: Cause | null;
  /** A terminal's size at the end. */
  terminal?: { columns: number; rows: number } | null;
}

export type End = { at: string; durationMs: number };

/** Returns the record with the command's outcome; null keeps the recorded one. */
export function concluded(record: CaptureRecord, outcome: CommandOutcome | null, end: End): CaptureRecord {
  if (outcome === null) return { ...record };
  return {
    ...record,
    status: outcome.status,
    exit_code: outcome.exit_code ?? null,
    signal: outcome.signal ?? null,
    ended_at: end.at,
    duration_ms: end.durationMs,
    warnings: [...record.warnings, ...(outcome.warnings ?? [])],
    cause: outcome.cause ?? null,
    terminal: outcome.terminal ?? record.terminal,
  };
}

export function withGap(record: CaptureRecord, index: number, gap: Gap): CaptureRecord {
  return { ...record, streams: record.streams.with(index, { ...record.streams[index]!, gap }) };
}
