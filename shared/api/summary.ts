/** Declares the window's summary, which is updated while the text is read. */
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
  /** Bytes that the view covers, except for its number of lines. */
  read_bytes: z.number(),
  view: SummaryView,
  /** Whether this is the last state. */
  done: z.boolean(),
});
export type SummaryState = z.infer<typeof SummaryState>;
