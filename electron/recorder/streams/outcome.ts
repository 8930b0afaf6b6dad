/** Changes a record: the outcome of its command, a gap of a stream. */
import type { Cause, Status, StreamName } from '../../../shared/artifact.ts';
import { isFailure } from '../../../shared/recording.ts';
import type { CaptureRecord, Gap } from '../../store/format/record.ts';

export type RecordedStreamName = Exclude<StreamName, 'combined'>;

export interface CommandOutcome {
  status: Status;
  exit_code?: number | null;
  signal?: string | null;
  warnings?: readonly string[];
  /** The line that best explains the failure; left out where nobody has looked for it. */
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
    ...(outcome.cause === undefined && isFailure(outcome.status) ? {} : { cause: outcome.cause ?? null }),
    terminal: outcome.terminal ?? record.terminal,
  };
}

export function withGap(record: CaptureRecord, index: number, gap: Gap): CaptureRecord {
  return { ...record, streams: record.streams.with(index, { ...record.streams[index]!, gap }) };
}

export interface StreamCounts {
  bytes: number;
  /** Line ends. */
  newlines: number;
  /** Whether the last byte is not a line end. */
  endsInLine: boolean;
}

/** Counts of a stream's received bytes, stored or not. Updated only where the bytes are stored. */
export function noCounts(): StreamCounts {
  return { bytes: 0, newlines: 0, endsInLine: false };
}

/** `newlines`: line ends in the chunk, which is not empty. */
export function addToCounts(counts: StreamCounts, chunk: Uint8Array, newlines: number): void {
  counts.bytes += chunk.length;
  counts.newlines += newlines;
  counts.endsInLine = chunk[chunk.length - 1] !== 10;
}
