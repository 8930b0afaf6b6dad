/** Searching in the window: how far it has got, pages of matching lines, the next one from a line, and where they lie. */
import * as z from 'zod';
import { SearchQuery } from './query.ts';
import { DocumentRef, Row } from './rows.ts';

/** Names one search; whoever names the same shares it. */
export const SearchRef = z.object({ document: DocumentRef, query: SearchQuery });
export type SearchRef = z.infer<typeof SearchRef>;

export const SearchState = z.object({
  /** Of the document: counts of another generation are of another text. */
  generation: z.number(),
  /** What was found is all there is in so many bytes. */
  searched_bytes: z.number(),
  total_bytes: z.number(),
  /** Matching lines so far. */
  match_count: z.number(),
  done: z.boolean(),
  /** The expression stopped making progress; what was found before stands. */
  timed_out: z.boolean(),
  /** A line over 4 MiB was searched in overlapping parts. */
  in_parts: z.boolean(),
});
export type SearchState = z.infer<typeof SearchState>;

export const MatchedRowsParams = z.object({
  search: SearchRef,
  /** The first match wanted, from 0, among those found so far. */
  first: z.number().int().min(0),
  count: z.number().int().min(1).max(1024),
});
export const MatchedRowsResult = z.object({
  generation: z.number(),
  match_count: z.number(),
  lines: z.array(z.object({ line_number: z.number(), row: Row })),
});
export type MatchedRowsResult = z.infer<typeof MatchedRowsResult>;

export const NextMatchParams = z.object({
  search: SearchRef,
  line_number: z.number().int().min(0),
  direction: z.enum(['next', 'previous']),
});
export const NextMatchResult = z.object({
  /** The nearest match behind or before the line, not the line itself; null when there is none. */
  line_number: z.number().nullable(),
  /** Which match it is, from 0. */
  index: z.number().nullable(),
  match_count: z.number(),
});

export const MatchMarksParams = z.object({ search: SearchRef, buckets: z.number().int().min(1).max(4096) });
export const MatchMarksResult = z.object({
  generation: z.number(),
  /** The document's lines cut into equal parts: matching lines in each. */
  counts: z.array(z.number()),
});
