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
    /** A JavaScript regular expression for one line, or plain text if `fixed`. May be empty with `levels` or `where`. */
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
