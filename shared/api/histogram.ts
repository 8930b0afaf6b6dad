/** How many lines came when: parts of a text by time, and what searches find in each. */
import * as z from 'zod';
import { DocumentRef } from './rows.ts';
import { SearchRef } from './search.ts';

const MAX_BINS = 512;

export const HistogramParams = z.object({
  document: DocumentRef,
  /** At most so many parts; fewer where a round length of time gives fewer. */
  bins: z.number().int().min(1).max(MAX_BINS),
});
export type HistogramParams = z.infer<typeof HistogramParams>;

/** Told again and again until it is `done`; until then edges are estimated from some lines between which they lie. */
export const HistogramState = z.object({
  generation: z.number(),
  /** Where the times are from; null when lines have none. */
  source: z.enum(['arrivals', 'text']).nullable(),
  /**
   * The edges of the parts, in order: one more than there are parts, or none. `time` is in milliseconds since 1970;
   * `line_number` is the first line at or after it. The last edge has the number after the last line, the first that of
   * the first line with a time.
   */
  edges: z.array(z.object({ time: z.number(), line_number: z.number() })),
  /** The part of the reading that is done, 0 to 1. */
  progress: z.number().min(0).max(1),
  done: z.boolean(),
});
export type HistogramState = z.infer<typeof HistogramState>;

export const CountsParams = z.object({
  search: SearchRef,
  /** Rising. */
  lines: z
    .array(z.number().int().min(1))
    .min(2)
    .max(MAX_BINS + 1),
});
export type CountsParams = z.infer<typeof CountsParams>;

export const CountsResult = z.object({
  generation: z.number(),
  /** Matching lines so far from each of the lines up to the one before the next. */
  counts: z.array(z.number()),
});
export type CountsResult = z.infer<typeof CountsResult>;
