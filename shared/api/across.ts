/** One search in many artifacts: which have matches, and how many. */
import * as z from 'zod';
import { SearchQuery } from '../search-query.ts';

/** Most artifacts that one search looks through. */
export const MAX_ACROSS = 8000;

export const AcrossRef = z.object({
  query: SearchQuery,
  /** In the order in which they are searched, each in the stream that is shown first. */
  artifact_ids: z.array(z.string().max(100)).max(MAX_ACROSS),
});
export type AcrossRef = z.infer<typeof AcrossRef>;

export const FoundIn = z.object({
  artifact_id: z.string(),
  /** Matching lines so far; at least one. */
  match_count: z.number(),
  /** All of it was searched. */
  done: z.boolean(),
});
export type FoundIn = z.infer<typeof FoundIn>;

export const AcrossEvent = z.object({
  /** New or different since the event before. */
  found: z.array(FoundIn),
  /** Artifacts that were searched, without matches too. */
  searched: z.number(),
  /** How many of these could not be read, or are binary. */
  unreadable: z.number(),
  /** No other event follows. */
  done: z.boolean(),
});
export type AcrossEvent = z.infer<typeof AcrossEvent>;
