/** Declares the export of whole lines: lines of a text, or matches of a search. */
import * as z from 'zod';
import { SearchQuery } from '../search-query.ts';
import { LineFilter } from './filters.ts';
import { DocumentRef } from './rows.ts';

/** Most lines in one request or reply. */
export const MAX_EXPORT_LINES = 8192;

export const ExportParams = z.object({
  document: DocumentRef,
  /** Exactly these lines, rising. */
  lines: z.array(z.number().int().min(1)).min(1).max(MAX_EXPORT_LINES).optional(),
  /** All matches of this search. Without this and `lines`: every line. */
  query: SearchQuery.optional(),
  /** With `query`: only lines that also pass this filter. */
  filter: LineFilter.optional(),
  /** Index to continue from, among the exported lines: 0 is the first. */
  from: z.number().int().min(0),
});
export type ExportParams = z.infer<typeof ExportParams>;

export const ExportResult = z.object({
  generation: z.number(),
  /** Lines in gaps are left out. `clipped`: `text` is only the beginning. */
  lines: z.array(
    z.object({ line_number: z.number(), text: z.string(), clipped: z.literal(true).optional() }),
  ),
  /** `from` of the next request; null at the end. */
  next: z.number().nullable(),
  /** Number of exported lines, including those before `from`. */
  total: z.number(),
});
export type ExportResult = z.infer<typeof ExportResult>;
