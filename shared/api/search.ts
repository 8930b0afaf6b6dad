/**
 * Declares searches of the window: progress, pages of matches, the next match from a line, and the positions of
 * matches.
 */
import * as z from 'zod';
import { MAX_RESULT_CONTEXT } from '../limits.ts';
import { SearchQuery } from '../search-query.ts';
import { LineFilter } from './filters.ts';
import { DocumentRef, Row } from './rows.ts';

/** Names one search. Equal names share one search. */
export const SearchRef = z.object({
  document: DocumentRef,
  query: SearchQuery,
  /** Search only lines that pass this filter. */
  filter: LineFilter.optional(),
});
export type SearchRef = z.infer<typeof SearchRef>;

const ResultContext = z.number().int().min(0).max(MAX_RESULT_CONTEXT);

/** A search to begin. */
export const SearchParams = SearchRef.extend({
  /** Send this many rows of the results, with lines around each match, with the first state that has a match. */
  first_rows: z.object({ count: z.number().int().min(1).max(1024), context: ResultContext }).optional(),
});
export type SearchParams = z.infer<typeof SearchParams>;

/** `match`: index of the match, from 0; null for a context line. */
const MatchedRow = z.object({ line_number: z.number(), match: z.number().nullable(), row: Row });

const RowCounts = z.array(z.number()).length(MAX_RESULT_CONTEXT + 1);

export const SearchState = z.object({
  /** The document's generation: another generation is another text. */
  generation: z.number(),
  /** Bytes searched so far; the counts cover exactly these. */
  searched_bytes: z.number(),
  total_bytes: z.number(),
  /** Matching lines so far. */
  match_count: z.number(),
  /** Rows of the results with 0, 1, 2 … lines of context. Lines after the last match count once they are searched. */
  row_counts: RowCounts,
  done: z.boolean(),
  /** Whether the expression stopped making progress; earlier matches are valid. */
  timed_out: z.boolean(),
  /** Whether a line over 4 MiB was searched in overlapping parts. */
  in_parts: z.boolean(),
  /** The first rows, if requested by `first_rows`: as many as there were. A slow reader may miss them. */
  first_rows: z.array(MatchedRow).optional(),
});
export type SearchState = z.infer<typeof SearchState>;

export const MatchedRowsParams = z.object({
  search: SearchRef,
  /** The first row wanted, from 0, among those found so far. */
  first: z.number().int().min(0),
  count: z.number().int().min(1).max(1024),
  /** Context lines around each match; by default none. No line is repeated. */
  context: ResultContext.optional(),
});
export const MatchedRowsResult = z.object({
  generation: z.number(),
  match_count: z.number(),
  lines: z.array(MatchedRow),
});
export type MatchedRowsResult = z.infer<typeof MatchedRowsResult>;

export const NextMatchParams = z.object({
  search: SearchRef,
  line_number: z.number().int().min(0),
  direction: z.enum(['next', 'previous']),
});
export const NextMatchResult = z.object({
  /** The nearest match after or before the line, excluding the line; null if there is none. */
  line_number: z.number().nullable(),
  /** Index of the match, from 0. */
  index: z.number().nullable(),
  /** Its row in the results with 0, 1, 2 … lines around each match, from 0. */
  rows: RowCounts.nullable(),
  match_count: z.number(),
});

export const MatchInLineParams = z.object({ search: SearchRef, line_number: z.number().int().min(1) });
export const MatchInLineResult = z.object({
  generation: z.number(),
  /** The first match in the line; null if the line does not match. */
  match: z
    .object({
      /** From 1, in the whole line. */
      column: z.number(),
      /** Bytes from the start of the stream. */
      offset: z.number(),
      /** The matched text, and the part of the line around it; both are clipped at `maxLineChars`. */
      match: z.string(),
      text: z.string(),
    })
    .nullable(),
});

export const MatchCountsParams = z.object({ search: SearchRef, buckets: z.number().int().min(1).max(4096) });
export const MatchCountsResult = z.object({
  generation: z.number(),
  /** Matches in each of equal parts of the document's lines. */
  counts: z.array(z.number()),
});

/** Most artifacts of one search. */
export const MAX_ACROSS = 8000;

export const AcrossRef = z.object({
  query: SearchQuery,
  /** In search order; each artifact's default stream is searched. */
  artifact_ids: z.array(z.string().max(100)).max(MAX_ACROSS),
});
export type AcrossRef = z.infer<typeof AcrossRef>;

export const FoundIn = z.object({
  artifact_id: z.string(),
  /** Matching lines so far; at least one. */
  match_count: z.number(),
  /** Whether all of it was searched. */
  done: z.boolean(),
});
export type FoundIn = z.infer<typeof FoundIn>;

export const AcrossEvent = z.object({
  /** New or changed results since the last event. */
  found: z.array(FoundIn),
  /** Number of artifacts searched, including those without matches. */
  searched: z.number(),
  /** How many of these could not be read, or are binary. */
  unreadable: z.number(),
  /** Whether this is the last event. */
  done: z.boolean(),
});
export type AcrossEvent = z.infer<typeof AcrossEvent>;

/** Declares the histogram: the lines of a text in spans of time, and the matches of searches in each. */
const MAX_BINS = 512;

export const HistogramParams = z.object({
  document: DocumentRef,
  /** Most spans; fewer if a round length of time gives fewer. */
  bins: z.number().int().min(1).max(MAX_BINS),
});
export type HistogramParams = z.infer<typeof HistogramParams>;

/** Sent repeatedly until `done`; until then, edges are estimated from nearby lines. */
export const HistogramState = z.object({
  generation: z.number(),
  /** The source of the times; null if lines have none. */
  source: z.enum(['arrivals', 'text']).nullable(),
  /**
   * The edges of the spans, in order: one more than there are spans, or none. `time` is in milliseconds since 1970;
   * `line_number` is the first line at or after it. The last edge has the number after the last line, the first that of
   * the first line with a time.
   */
  edges: z.array(z.object({ time: z.number(), line_number: z.number() })),
  /** Progress, 0 to 1. */
  progress: z.number().min(0).max(1),
  done: z.boolean(),
});
export type HistogramState = z.infer<typeof HistogramState>;

export const CountsParams = z.object({
  search: SearchRef,
  /** Rising. */
  lines: z
    .array(z.number().int().min(1))
    .min(2)
    .max(MAX_BINS + 1),
});
export type CountsParams = z.infer<typeof CountsParams>;

export const CountsResult = z.object({
  generation: z.number(),
  /** Matches so far from each of the lines up to the next. */
  counts: z.array(z.number()),
});
export type CountsResult = z.infer<typeof CountsResult>;
