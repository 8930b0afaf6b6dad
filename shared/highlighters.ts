/** Declares the ten highlighters: patterns that a person has marked in every text, each in its colour. */
import * as z from 'zod';
import { SearchQuery } from './search-query.ts';

export const HIGHLIGHTERS = 10;
/** Most characters of a pattern. */
export const MAX_HIGHLIGHT_CHARS = 2000;

export const Highlighter = z.object({
  name: z.string().max(80),
  /** Empty while the colour is free. */
  pattern: z.string().max(MAX_HIGHLIGHT_CHARS),
  fixed: z.boolean(),
  case_sensitive: z.boolean(),
  on: z.boolean(),
});
export type Highlighter = z.infer<typeof Highlighter>;

/** In the order of their colours. */
export const Highlighters = z.array(Highlighter).length(HIGHLIGHTERS);

/** A free colour. */
export const FREE: Highlighter = { name: '', pattern: '', fixed: true, case_sensitive: false, on: true };

export const HighlightParams = z.object({
  texts: z.array(z.string()).max(512),
  queries: z.array(SearchQuery).max(HIGHLIGHTERS),
});
export type HighlightParams = z.infer<typeof HighlightParams>;

/** In the order of the queries. */
export const HighlightResult = z.object({
  /** For each text, pairs of start and end of its matches; null for a query that is invalid or made no progress. */
  matches: z.array(z.array(z.array(z.number())).nullable()),
  problems: z.array(z.string().nullable()),
});
export type HighlightResult = z.infer<typeof HighlightResult>;
