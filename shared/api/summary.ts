/** A summary in the window, told while the text is read. */
import * as z from 'zod';
import { MAX_SHAPES } from '../limits.ts';
import { SummaryView } from '../views.ts';
import { DocumentRef } from './rows.ts';

export const SummaryRef = z.object({
  document: DocumentRef,
  max_shapes: z.number().int().min(0).max(MAX_SHAPES).optional(),
});
export type SummaryRef = z.infer<typeof SummaryRef>;

export const SummaryState = z.object({
  /** The view covers exactly so many bytes, but for the number of lines. */
  read_bytes: z.number(),
  view: SummaryView,
  /** No other state follows. */
  done: z.boolean(),
});
export type SummaryState = z.infer<typeof SummaryState>;
