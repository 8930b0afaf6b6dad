/** Declares one search in many artifacts, which reports how many matches each has. */
import * as z from 'zod';
import { SearchQuery } from '../search-query.ts';

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
