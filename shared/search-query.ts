/** A search query: the window, the host and the search engine all use this form. */
import * as z from 'zod';
import { LEVELS } from './text/level-words.ts';

/** Most searches that can limit one search. */
export const MAX_WITHIN = 8;

/** One pattern and its switches. */
export const SearchTerm = z.object({
  pattern: z.string().min(1),
  fixed: z.boolean(),
  case_sensitive: z.boolean(),
  invert: z.boolean(),
  /** The match is a whole word: no letter, digit or underscore is next to it. */
  word: z.boolean().optional(),
});
export type SearchTerm = z.infer<typeof SearchTerm>;

export const SearchQuery = z
  .object({
    /** A JavaScript regular expression for one line, or plain text if `fixed`. `levels` and `where` need none. */
    pattern: z.string(),
    fixed: z.boolean(),
    case_sensitive: z.boolean(),
    /** The lines that do not match. */
    invert: z.boolean(),
    word: SearchTerm.shape.word,
    /** Only lines of these severities. */
    levels: z.array(z.enum(LEVELS)).min(1).optional(),
    /** Only lines whose fields meet these conditions (text/fields.ts). */
    where: z.string().min(1).optional(),
    /** Only lines that each of these also finds. */
    within: z.array(SearchTerm).min(1).max(MAX_WITHIN).optional(),
  })
  .refine(
    ({ pattern, levels, where }) => pattern !== '' || levels !== undefined || where !== undefined,
    'the pattern is empty',
  );
export type SearchQuery = z.infer<typeof SearchQuery>;

/** Finds every line of severity error. */
export const ERROR_LINES: SearchQuery = {
  pattern: '',
  fixed: true,
  case_sensitive: true,
  invert: false,
  levels: ['fatal', 'error'],
};

/** Declares the ten highlighters: patterns that a person has marked in every text, each in its colour. */
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
