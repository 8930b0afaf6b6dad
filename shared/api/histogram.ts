/** Declares the histogram: the lines of a text in spans of time, and the matches of searches in each. */
import * as z from 'zod';
import { DocumentRef } from './rows.ts';
import { SearchRef } from './search.ts';

const MAX_BINS = 512;

export const HistogramParams = z.object({
  document: DocumentRef,
  /** Most spans; fewer if a round length of time gives fewer. */
  bins: z.number().int().min(1).max(MAX_BINS),
});
export type HistogramParams = z.infer<typeof HistogramParams>;

/** Sent repeatedly until `done`; until then, edges are estimated from nearby lines. */
export const HistogramState = z.object({
  generation: z.number(),
  /** The source of the times; null if lines have none. */
  source: z.enum(['arrivals', 'text']).nullable(),
  /**
   * The edges of the spans, in order: one more than there are spans, or none. `time` is in milliseconds since 1970;
   * `line_number` is the first line at or after it. The last edge has the number after the last line, the first that of
   * the first line with a time.
   */
  edges: z.array(z.object({ time: z.number(), line_number: z.number() })),
  /** Progress, 0 to 1. */
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
  /** Matches so far from each of the lines up to the next. */
  counts: z.array(z.number()),
});
export type CountsResult = z.infer<typeof CountsResult>;
