/** Saves whole lines to a file: lines of a text, or lines that a search finds. */
import * as z from 'zod';
import { SearchQuery } from '../search-query.ts';
import { LineFilter } from './filters.ts';
import { DocumentRef } from './rows.ts';

/** Most lines that one request names, or gives. */
export const MAX_EXPORT_LINES = 8192;

export const ExportParams = z.object({
  document: DocumentRef,
  /** Exactly these lines, rising. */
  lines: z.array(z.number().int().min(1)).min(1).max(MAX_EXPORT_LINES).optional(),
  /** All lines that this finds. Neither this nor `lines`: every line. */
  query: SearchQuery.optional(),
  /** With `query`: only lines that pass this, too. */
  filter: LineFilter.optional(),
  /** Where to go on: from 0 in what is exported, so that 0 is the first of `lines`, match or line. */
  from: z.number().int().min(0),
});
export type ExportParams = z.infer<typeof ExportParams>;

export const ExportResult = z.object({
  generation: z.number(),
  /** Lines of a gap are left out. `clipped`: only the beginning is here. */
  lines: z.array(
    z.object({ line_number: z.number(), text: z.string(), clipped: z.literal(true).optional() }),
  ),
  /** `from` of the next request; null at the end. */
  next: z.number().nullable(),
  /** How many there are, with those before `from`. */
  total: z.number(),
});
export type ExportResult = z.infer<typeof ExportResult>;
