/** What can be asked of an artifact's text, and what comes back (CONTRACT 5). Lines count from 1, offsets are bytes of the stored stream. */
import * as z from 'zod';
import { Artifact, ContentType, Kind, Status, StreamName } from './artifact.ts';
import { MAX_CONTEXT_LINES, MAX_LIST_LIMIT, MAX_MATCHES, MAX_SHAPES, MAX_WINDOW_BYTES } from './limits.ts';

const count = z.number().int().min(0);
const lineNumber = z.number().int();

/** Which bytes: an artifact by id or by path, one of its streams, and how to decode it. */
export const Target = z.object({
  artifact_id: z.string().optional(),
  file_path: z.string().optional(),
  stream: StreamName.optional(),
  /** A label of the WHATWG encoding standard; found out (UTF-8, or UTF-16 by its BOM) when absent. */
  encoding: z.string().optional(),
  /** Show a binary stream's bytes as text all the same. */
  as_text: z.boolean().optional(),
});
export type Target = z.infer<typeof Target>;

export const ViewMode = z.enum(['head', 'tail', 'grep', 'range', 'summary']);
export type ViewMode = z.infer<typeof ViewMode>;

export const InspectParams = Target.extend({
  mode: ViewMode.default('head'),
  lines: z.number().int().min(1).optional(),
  start_line: lineNumber.optional(),
  end_line: lineNumber.optional(),
  /** For `grep`: a JavaScript regular expression, matched on one line at a time. */
  pattern: z.string().optional(),
  /** Lines of context around each match. */
  context_lines: z.number().int().min(0).max(MAX_CONTEXT_LINES).optional(),
  max_matches: z.number().int().min(0).max(MAX_MATCHES).optional(),
  /** `next_cursor` of the page before. */
  cursor: z.string().optional(),
  case_sensitive: z.boolean().optional(),
  /** The pattern is plain text. */
  fixed: z.boolean().optional(),
  /** The lines that do not match. */
  invert: z.boolean().optional(),
  max_shapes: z.number().int().min(0).max(MAX_SHAPES).optional(),
  /** The stream's own text, escape sequences and redraws included, instead of line text. */
  raw: z.boolean().optional(),
  /** Longest `content`, in characters: whole lines are left out to keep to it. */
  max_chars: z.number().int().min(1).optional(),
});
export type InspectParams = z.input<typeof InspectParams>;

/** What every view says of the stream it is of. */
export const ViewBase = z.object({
  artifact_id: z.string(),
  file_path: z.string().nullable(),
  stream: StreamName,
  content_type: ContentType,
  encoding: z.string(),
  total_lines: count,
  total_bytes: count,
  running: z.boolean(),
  /** Present when there is something to know: a binary stream, a gap, an approximation. */
  note: z.string().optional(),
});

export const LinesView = ViewBase.extend({
  mode: z.enum(['head', 'tail', 'range']),
  /** Null when no line is shown, as are `end_line` and `start_offset`. */
  start_line: count.nullable(),
  end_line: count.nullable(),
  start_offset: count.nullable(),
  lines_shown: count,
  /** Something of the stream is not in `content` whole: lines left out, or clipped. */
  truncated: z.boolean(),
  clipped_lines: count,
  content: z.string(),
  next_start_line: count.nullable(),
});
export type LinesView = z.infer<typeof LinesView>;

export const Shape = z.object({ shape: z.string(), count, first_line: count, example: z.string() });
export type Shape = z.infer<typeof Shape>;

export const SummaryView = LinesView.extend({
  mode: z.literal('summary'),
  /** Characters of line text. */
  line_length_mean: z.number(),
  line_length_max: count,
  blank_lines: count,
  line_ending: z.enum(['lf', 'crlf', 'mixed', 'none']),
  /** Lines by severity; only severities that occur. */
  levels: z.record(z.string(), count),
  /** As they stand in the text. */
  first_timestamp: z.string().nullable(),
  last_timestamp: z.string().nullable(),
  first_errors: z.array(z.object({ line_number: count, text: z.string() })),
  shapes: z.array(Shape),
  /** False when there were too many different shapes to count each: then rare ones may be missing and counts low. */
  shapes_exact: z.boolean(),
  json: z
    .object({
      type: z.enum(['object', 'array', 'string', 'number', 'boolean', 'null']),
      keys: z.array(z.string()).optional(),
      length: count.optional(),
    })
    .nullable(),
});
export type SummaryView = z.infer<typeof SummaryView>;

export const GrepMatch = z.object({
  line_number: count,
  /** Of the match in the line's text, in UTF-16 code units from 1. */
  column: count,
  /** Of the match in the stream; of its line where colours or redraws were left out before it. */
  offset: count,
  match: z.string(),
  context_before: z.array(z.string()),
  context_after: z.array(z.string()),
});
export type GrepMatch = z.infer<typeof GrepMatch>;

export const GrepView = LinesView.extend({
  mode: z.literal('grep'),
  /** Matching lines in the whole stream. */
  match_count: count,
  matches_shown: count,
  next_cursor: z.string().nullable(),
  matches: z.array(GrepMatch),
  /** The search stopped making progress: what is here was found before. */
  timed_out: z.boolean(),
});
export type GrepView = z.infer<typeof GrepView>;

export const View = z.discriminatedUnion('mode', [LinesView, GrepView, SummaryView]);
export type View = z.infer<typeof View>;

export const ReadParams = Target.extend({
  offset: z.number().int().default(0),
  limit: z.number().int().min(1).max(MAX_WINDOW_BYTES).optional(),
  /** Only the lines that match, from the one that `offset` is in; plain text where it is no regular expression. */
  search: z.string().optional(),
});
export type ReadParams = z.input<typeof ReadParams>;

export const ByteWindow = ViewBase.extend({
  mode: z.literal('window'),
  offset: count,
  /** Bytes of the stream that `content` holds; with `search`, bytes of `content`. */
  bytes_shown: count,
  /** The line the window's first byte is in, or with `search` the first one shown; null when there is none. */
  start_line: count.nullable(),
  start_offset: count.nullable(),
  end_line: count.nullable(),
  lines_shown: count,
  truncated: z.boolean(),
  clipped_lines: count,
  content: z.string(),
  /** Where to read on; null at the end. */
  next_offset: count.nullable(),
  next_start_line: count.nullable(),
  /** With `search`: matching lines in the whole stream. */
  match_count: count.optional(),
  /** With `search`: it stopped making progress, and what is here was found before. */
  timed_out: z.boolean().optional(),
});
export type ByteWindow = z.infer<typeof ByteWindow>;

export const ListParams = z.object({
  session: z.string().optional(),
  kind: Kind.optional(),
  status: Status.optional(),
  /** Case-insensitive, in the id, label, command, session or path. */
  query: z.string().optional(),
  limit: z.number().int().min(1).max(MAX_LIST_LIMIT).optional(),
  cursor: z.string().optional(),
});
export type ListParams = z.input<typeof ListParams>;

export const ListResult = z.object({ outputs: z.array(Artifact), next_cursor: z.string().nullable() });
export type ListResult = z.infer<typeof ListResult>;
