/** What the window searches for. */
import * as z from 'zod';

export const SearchQuery = z.object({
  /** A JavaScript regular expression, matched on one line at a time. */
  pattern: z.string().min(1),
  fixed: z.boolean(),
  case_sensitive: z.boolean(),
  invert: z.boolean(),
});
export type SearchQuery = z.infer<typeof SearchQuery>;
