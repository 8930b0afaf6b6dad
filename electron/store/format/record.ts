/**
 * What `<artifact>.meta.json` holds: the truth about one capture, replaced atomically by its one writer. While it runs,
 * sizes and lines in it lag behind the files.
 */
import * as z from 'zod';
import { ArtifactId, ContentType, Kind, Status, StreamName } from '../../../shared/artifact.ts';
import { Owner } from './owner.ts';

export const RECORD_VERSION = 1;

/** Bytes of the stream that are not stored: they came between the stored bytes before `offset` and those after it. */
export const Gap = z.object({
  /** Where in the stored stream; its size when the end is missing. Bytes. */
  offset: z.number().int().min(0),
  /** Line ends in the stored stream before it. */
  line: z.number().int().min(0),
  bytes: z.number().int().min(0),
  /** Line ends among the bytes that are missing. */
  lines: z.number().int().min(0),
});
export type Gap = z.infer<typeof Gap>;

export const StreamRecord = z.object({
  name: StreamName.exclude(['combined']),
  /** Name of the file beside the record; null when the stream was folded into the record, or nothing could be written. */
  file: z
    .string()
    .regex(/^[A-Za-z0-9._-]+$/)
    .nullable(),
  /** The whole stream, in base64, when it stayed within its inline budget. */
  folded: z.string().nullable(),
  /** Bytes stored, before any compression. */
  total_bytes: z.number().int().min(0),
  /** Line numbers are true: those of the gap are counted. Null until the stream has ended. */
  total_lines: z.number().int().min(0).nullable(),
  gap: Gap.nullable(),
  content_type: ContentType,
});
export type StreamRecord = z.infer<typeof StreamRecord>;

export const CaptureRecord = z.object({
  version: z.literal(RECORD_VERSION),
  artifact_id: ArtifactId,
  kind: Kind.exclude(['file']),
  label: z.string(),
  command: z.string().nullable(),
  args: z.array(z.string()).nullable(),
  cwd: z.string().nullable(),
  env_names: z.array(z.string()).nullable(),
  /** The session's name, not its folder's. */
  session: z.string(),
  /** Which agent ran it in its shell tool, and in which of its conversations; null when none did. */
  agent: z.object({ name: z.string(), session: z.string().nullable() }).nullable().default(null),
  status: Status,
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  duration_ms: z.number().min(0).nullable(),
  /** In sentences: what is missing and why, what was lost. */
  warnings: z.array(z.string()),
  /** Who writes the record and its files; null when that is over. */
  recorder: Owner.nullable(),
  streams: z.array(StreamRecord).min(1).max(2),
  /** When which bytes arrived (times.ts), in base64, when the streams were folded; else in the file. */
  times: z.string().nullable(),
  /** Of a terminal: how large it was at the end, in characters. */
  terminal: z.object({ columns: z.number().int(), rows: z.number().int() }).nullable().default(null),
});
export type CaptureRecord = z.infer<typeof CaptureRecord>;

export type ParsedRecord =
  | { ok: true; record: CaptureRecord }
  /** `problem` is a sentence; `newer` when a later version of Spillway wrote it, which must be left alone. */
  | { ok: false; problem: string; newer: boolean };

export function parseRecord(text: string): ParsedRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'its record is cut short or damaged', newer: false };
  }
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > RECORD_VERSION) {
    return { ok: false, problem: `its record is of a newer version of Spillway (${version})`, newer: true };
  }
  const parsed = CaptureRecord.safeParse(value);
  if (parsed.success) return { ok: true, record: parsed.data };
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  return { ok: false, problem: `its record is not valid (${where})`, newer: false };
}
