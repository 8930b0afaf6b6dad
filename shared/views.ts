/**
 * Requests for parts of a stream, and the views that answer them (CONTRACT 5). Lines count from 1; offsets are bytes
 * of the stored stream.
 */
import * as z from 'zod';
import { schemaFields } from './arguments/argument.ts';
import {
  ARTIFACT_ARGUMENTS,
  INSPECT_ARGUMENTS,
  LIST_ARGUMENTS,
  READ_ARGUMENTS,
  STREAM_ARGUMENTS,
} from './arguments/views.ts';
import { Artifact, Cause, ContentType, StreamName } from './artifact.ts';
import { LogFormat } from './log-format.ts';

const count = z.number().int().min(0);

/** A stream of an artifact, which is named by id or by path. */
export const Target = z.object({ ...schemaFields(ARTIFACT_ARGUMENTS), ...schemaFields(STREAM_ARGUMENTS) });
export type Target = z.infer<typeof Target>;

export const InspectParams = Target.extend(schemaFields(INSPECT_ARGUMENTS));
export type InspectParams = z.input<typeof InspectParams>;

/** Facts that every view gives about its stream. */
export const ViewBase = z.object({
  artifact_id: z.string(),
  file_path: z.string().nullable(),
  stream: StreamName,
  content_type: ContentType,
  encoding: z.string(),
  /** Null where the lines of a large stream were not counted: a byte window, or a binary stream. */
  total_lines: count.nullable(),
  total_bytes: count,
  running: z.boolean(),
  /** Present when there is something to know: a binary stream, a gap, an approximation. */
  note: z.string().optional(),
  /** Secrets that are masked in this view; absent for none. */
  redacted: count.optional(),
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

const Shape = z.object({ shape: z.string(), count, first_line: count, example: z.string() });

const FieldValues = z.object({
  field: z.string(),
  /** Lines that have it. */
  lines: count,
  distinct: count,
  /** False where there were too many different values to count each. */
  exact: z.boolean(),
  /** The most frequent. */
  values: z.array(z.object({ value: z.string(), count, first_line: count })),
  /** The most frequent forms of values, with the variable parts masked. */
  shapes: z.array(Shape),
  /** Null unless all values are numbers. */
  range: z.object({ least: z.number(), most: z.number() }).nullable(),
});
export type FieldValues = z.infer<typeof FieldValues>;

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
  /** The first line with each message; `count` where at least so many lines differ from it in numbers and time alone. */
  first_errors: z.array(z.object({ line_number: count, text: z.string(), count: count.optional() })),
  /** Null for a binary stream, and for a merged one. */
  format: LogFormat.nullable(),
  shapes: z.array(Shape),
  /** False when there were too many different shapes to count each: then rare ones may be missing and counts low. */
  shapes_exact: z.boolean(),
  /** With `field`. */
  field_values: FieldValues.optional(),
  json: z
    .object({
      type: z.enum(['object', 'array', 'string', 'number', 'boolean', 'null']),
      keys: z.array(z.string()).optional(),
      length: count.optional(),
      /** Each line is a JSON text of its own; type and keys are theirs. */
      per_line: z.literal(true).optional(),
      /** The keys are those of so many lines; absent if they are those of all. */
      sampled_lines: count.optional(),
    })
    .nullable(),
});
export type SummaryView = z.infer<typeof SummaryView>;

export const GrepMatch = z.object({
  line_number: count,
  /** Column of the match in the line's text, in UTF-16 code units from 1. */
  column: count,
  /** Offset of the match in the stream; of its line where colours or redraws before it were left out. */
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
  /** With `entries`: how many entries the matches shown are in. */
  entries_shown: count.optional(),
  next_cursor: z.string().nullable(),
  matches: z.array(GrepMatch),
  /** The search stopped making progress: what is here was found before. */
  timed_out: z.boolean(),
  /** Not all lines were searched: the stream is binary, or a part of it cannot be read. `note` says why. */
  unsearched: z.literal(true).optional(),
});
export type GrepView = z.infer<typeof GrepView>;

export const Section = z.object({
  title: z.string(),
  /** From 1, for a section that is in no other. */
  level: z.number().int().min(1),
  start_line: count,
  end_line: count,
  /** Null where the text does not tell how it ended. */
  status: z.enum(['ok', 'failed']).nullable(),
  /** By the times in the text, else by those of arrival. */
  duration_ms: z.number().min(0).nullable(),
  /** Lines within it at error level. */
  errors: count,
  /** It holds the cause, or else is the last that failed. */
  failing: z.literal(true).optional(),
  /** A member of the archive: `file_path/title` is its path. */
  member: z.literal(true).optional(),
});
export type Section = z.infer<typeof Section>;

export const OutlineView = LinesView.extend({
  mode: z.literal('outline'),
  /** In the order of their first lines; a section is before those in it. */
  sections: z.array(Section),
  /** More than `sections` holds where the deepest are left out. */
  total_sections: count,
  /** The longest pauses, by line. */
  pauses: z.array(z.object({ start_line: count, duration_ms: z.number() })),
  /** The most frequent messages of a text without sections, by line. */
  shapes: z.array(Shape),
});
export type OutlineView = z.infer<typeof OutlineView>;

/** In the `note` of a view of a run that succeeded. */
export const NO_CAUSE_OF_SUCCESS = 'the command succeeded: no line is called a cause';
/** In that of a file without an exit status. */
export const NO_CAUSE_OF_PASSED = 'its end says that it passed: no line is called a cause';

export const FailureView = LinesView.extend({
  mode: z.literal('failure'),
  cause: Cause.nullable(),
  /** Nothing tells that this is the output of a failed command: `cause` only looks like one. `note` says so. */
  likely: z.literal(true).optional(),
  /** Distinct lines at error level that had no room, if there are any; `next_cursor` lists exactly those. */
  errors_left_out: count.optional(),
  next_cursor: z.string().optional(),
  /** The parts of `content`, in order. */
  parts: z.array(
    z.object({
      start_line: count,
      end_line: count,
      /** The reason it was chosen; absent for context, the head and the tail. */
      why: z.string().optional(),
      /** The line that was chosen for that. */
      line: count.optional(),
      /** Only the beginning of its last line is in it. */
      clipped: z.literal('beginning').optional(),
    }),
  ),
});
export type FailureView = z.infer<typeof FailureView>;

/** Yields each part of an explanation with its lines. */
export function* partsWithLines({ parts, content }: Pick<FailureView, 'parts' | 'content'>) {
  const lines = content.split('\n');
  let at = 0;
  for (const part of parts) {
    const end = at + part.end_line - part.start_line + 1;
    yield { ...part, lines: lines.slice(at, end) };
    at = end;
  }
}

export const View = z.discriminatedUnion('mode', [
  LinesView,
  GrepView,
  SummaryView,
  FailureView,
  OutlineView,
]);
export type View = z.infer<typeof View>;

export const ReadParams = Target.extend(schemaFields(READ_ARGUMENTS));
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
  ...schemaFields(LIST_ARGUMENTS),
  /** Only outputs of commands that failed. */
  failed: z.boolean().optional(),
});
export type ListParams = z.input<typeof ListParams>;

export const ListResult = z.object({
  outputs: z.array(Artifact),
  next_cursor: z.string().nullable(),
  /** Opened folders with so many files that they are listed only when asked for by kind or query. */
  left_out: z.array(z.object({ source: z.string(), file_count: z.number() })).optional(),
});
export type ListResult = z.infer<typeof ListResult>;

/** A report of a failure: one HTML or Markdown document that needs nothing else to be read (CONTRACT 3). */
export const ReportFormat = z.enum(['html', 'markdown']);
export type ReportFormat = z.infer<typeof ReportFormat>;

/** Marks beyond these are not in a report. */
export const MAX_REPORT_MARKS = 200;

export const ReportParams = z.object({
  artifact_id: z.string().optional(),
  file_path: z.string().optional(),
  format: ReportFormat,
  /** Lines that a person marked, which only the window knows. */
  marks: z
    .array(z.object({ stream: StreamName, line: z.number().int().min(1), note: z.string().max(4000) }))
    .max(MAX_REPORT_MARKS)
    .optional(),
  /** Whether secrets are masked. Default true: a report is made to be given away. */
  redact: z.boolean().optional(),
});
export type ReportParams = z.infer<typeof ReportParams>;

export const Report = z.object({
  artifact_id: z.string(),
  text: z.string(),
  /** Secrets that were masked. */
  redacted: z.number().int().min(0),
});
export type Report = z.infer<typeof Report>;
