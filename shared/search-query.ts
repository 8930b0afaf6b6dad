/** A search query: the window, the host and the search engine all use this form. */
import * as z from 'zod';

export const SearchQuery = z.object({
  /** A JavaScript regular expression, matched on one line at a time; plain text when `fixed`. */
  pattern: z.string().min(1),
  fixed: z.boolean(),
  case_sensitive: z.boolean(),
  /** The lines that do not match. */
  invert: z.boolean(),
});
export type SearchQuery = z.infer<typeof SearchQuery>;
