/** Declares the lines that the window shows, and the state of their stream. */
import * as z from 'zod';
import { Artifact, ArtifactId, ContentType, MAX_MERGED, StreamName } from '../artifact.ts';
import { ROWS_PER_BLOCK } from '../limits.ts';
import { LogFormat } from '../log-format.ts';
import { SearchQuery } from '../search-query.ts';

/** A colour: 0-255 of the terminal palette, or `#rrggbb`. */
export const Colour = z.union([z.number().int().min(0).max(255), z.string().regex(/^#[0-9a-f]{6}$/)]);
export type Colour = z.infer<typeof Colour>;

/** The style of a part of a line's text; `start` and `end` are UTF-16 indexes into it. */
export const StyleRun = z.object({
  start: z.number().int().min(0),
  end: z.number().int().min(0),
  fg: Colour.optional(),
  bg: Colour.optional(),
  /** Bits of STYLE. */
  style: z.number().int().min(0).max(127),
});
export type StyleRun = z.infer<typeof StyleRun>;

export const STYLE = {
  bold: 1,
  dim: 2,
  italic: 4,
  underline: 8,
  inverse: 16,
  strike: 32,
  hidden: 64,
} as const;

export const Row = z.object({
  text: z.string(),
  runs: z.array(StyleRun).nullable(),
  /** Bytes from the start of the stream. */
  offset: z.number(),
  /** Bytes of the line without its line ending. */
  bytes: z.number(),
  /** `text` is only the beginning. */
  clipped: z.boolean(),
  /** `text` is this part of the line: bytes from its start, `end` not included. */
  piece: z.object({ start: z.number(), end: z.number() }).optional(),
  /** The line was not kept: only its number and position are known. */
  missing: z.literal(true).optional(),
  /** When its end arrived, in milliseconds since the epoch. Absent if not recorded. */
  at: z.number().optional(),
  /** The time in the line, in milliseconds since the epoch, if its text alone does not give it. Null: it has none. */
  told_at: z.number().nullable().optional(),
  /** In the combined stream: the line's stream. */
  stream: StreamName.optional(),
  /** In a merged text: index of the line's artifact, from 0, and the line's number there. */
  part: z.number().optional(),
  number: z.number().optional(),
  /** Matches of the given query: starts and ends in `text`, in pairs. Absent without a query. */
  matches: z.array(z.number()).optional(),
});
export type Row = z.infer<typeof Row>;

/** Names one open stream; windows that name the same stream share it. */
export const DocumentRef = z.object({
  artifact_id: z.string(),
  stream: StreamName.optional(),
  encoding: z.string().optional(),
  as_text: z.boolean().optional(),
  /** A person's correction of its format (`readFormatChoice`). */
  log_format: z.string().max(200).optional(),
  /** Artifacts to merge into one text by the times of their lines; `artifact_id` is their `mergedId`. */
  merged: z.array(ArtifactId).min(2).max(MAX_MERGED).optional(),
  /** The same of merged artifacts. */
  log_formats: z.record(ArtifactId, z.string().max(200)).optional(),
});
export type DocumentRef = z.infer<typeof DocumentRef>;

export const RowsParams = z.object({
  document: DocumentRef,
  /** From 1; with `from_end`, the lines from the block's start to the end (needs no line count). */
  start_line: z.number().int().min(1),
  count: z
    .number()
    .int()
    .min(1)
    .max(ROWS_PER_BLOCK * 4),
  from_end: z.boolean().optional(),
  /** Give a line of up to PIECE_BYTES whole, and of a longer one the piece that begins at this byte of it. */
  piece: z.number().int().min(0).optional(),
  /** Mark where this matches in the rows. */
  highlight: SearchQuery.optional(),
});
export type RowsParams = z.infer<typeof RowsParams>;

export const RowsResult = z.object({
  /** Rises by one whenever the file is truncated or replaced: another generation is another text. */
  generation: z.number(),
  /** Null with `from_end` until lines are counted. */
  start_line: z.number().nullable(),
  rows: z.array(Row),
});
export type RowsResult = z.infer<typeof RowsResult>;

export const DocumentState = z.object({
  artifact: Artifact,
  stream: StreamName,
  generation: z.number(),
  total_bytes: z.number(),
  /** Bytes whose lines have been counted; equal to `total_bytes` when the count is complete. */
  indexed_bytes: z.number(),
  /** Lines in the indexed bytes. */
  total_lines: z.number(),
  /** Whether a compressed file is still being unpacked: the totals cover the unpacked part. */
  is_unpacking: z.boolean(),
  content_type: ContentType,
  encoding: z.string(),
  /** Null until it is learnt. */
  format: LogFormat.nullable().optional(),
  /** Whether arrivals were recorded, and whether the lines' own times are used even so. */
  has_arrivals: z.boolean().optional(),
  reads_printed: z.boolean().optional(),
  condition: z.enum(['ok', 'binary', 'vanished', 'no_permission', 'failed']),
  /** The problem and its remedy, when `condition` is not ok. */
  problem: z.object({ what: z.string(), todo: z.string() }).nullable(),
  /** The last event of the file or its readers that a person should know. */
  notice: z.object({ at: z.string(), text: z.string() }).nullable(),
});
export type DocumentState = z.infer<typeof DocumentState>;

/** A request for the line in another stream of the same artifact that arrived together with a line. */
export const CorrespondingLineParams = z.object({
  document: DocumentRef,
  line_number: z.number().int().min(1),
  stream: StreamName,
});
export type CorrespondingLineParams = z.infer<typeof CorrespondingLineParams>;

/** The first line that arrived then or later, else the last one; null if arrivals were not recorded. */
export const CorrespondingLineResult = z.object({ line_number: z.number().nullable() });
export type CorrespondingLineResult = z.infer<typeof CorrespondingLineResult>;

/** Declares which lines of two texts say the same, so that they can be read side by side. */
const line = z.number().int().min(1);

export const AlignParams = z.object({
  first: DocumentRef,
  second: DocumentRef,
  /** Aligns some thousand lines around this one of each text, and no others: they are known at once. */
  near: z.tuple([line, line]).optional(),
});
export type AlignParams = z.infer<typeof AlignParams>;

/** From the first line to the last. */
const Lines = z.tuple([line, line]);

export const Alignment = z.object({
  /** `[line of the first text, line of the second, number of lines]`: neighbours that say the same. Rising in both. */
  blocks: z.array(z.tuple([line, line, line])),
  /** Lines of messages that the other text does not have at all; what only moved is not among them. */
  only_first: z.array(Lines),
  only_second: z.array(Lines),
  /** Says what was not aligned, and why. */
  note: z.string().optional(),
});
export type Alignment = z.infer<typeof Alignment>;
