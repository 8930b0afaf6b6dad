/** Declares filters of a text: reports the passing lines as a set that grows while the text is searched. */
import * as z from 'zod';
import { ROWS_PER_BLOCK } from '../limits.ts';
import { SearchQuery } from '../search-query.ts';
import { DocumentRef } from './rows.ts';

/** Most rules of one filter. */
const MAX_RULES = 64;
/** Most spans of lines of one filter: those of a comparison, and some more where others cut them. */
const MAX_SPANS = 4096;

/** `show`: lines must match one of these. `only`: lines must match each of these. `hide`: lines must match none. */
export const FilterVerb = z.enum(['show', 'only', 'hide']);
export type FilterVerb = z.infer<typeof FilterVerb>;

export const FilterRule = z.object({ verb: FilterVerb, query: SearchQuery });
export type FilterRule = z.infer<typeof FilterRule>;

/** Lines from `first` to `last`, both included. */
export const LineSpan = z.object({ first: z.number().int().min(1), last: z.number().int().min(1) });
export type LineSpan = z.infer<typeof LineSpan>;

/**
 * A line passes if it matches one of the rules that show (or there is none), every rule that says only, no rule that
 * hides, and lies in one of the spans (or there is none).
 */
export const LineFilter = z.object({
  rules: z.array(FilterRule).max(MAX_RULES),
  within: z.array(LineSpan).max(MAX_SPANS),
  /**
   * Rules decide about whole entries, such as an error with its stack trace: of an entry that passes, all lines are
   * shown, or with `first` its first line.
   */
  entries: z.enum(['whole', 'first']).optional(),
  /**
   * Folds neighbours that pass and have one shape: the first is shown, errors are, and lines in one of the spans.
   */
  repeats: z.object({ unfolded: z.array(LineSpan).max(MAX_SPANS) }).optional(),
});
export type LineFilter = z.infer<typeof LineFilter>;

/** Names one filter of one text. Equal names share its searches. */
export const FilterRef = z.object({ document: DocumentRef, filter: LineFilter });
export type FilterRef = z.infer<typeof FilterRef>;

/**
 * Members among the 65,536 line numbers from `key * 65_536` on, minus that number. `data` is base64 of little-endian
 * numbers: `members` and `absent` list 16-bit numbers; `bits` has 2,048 words of 32 bits, lowest bit first.
 */
export const LinesPart = z.object({
  key: z.number().int().min(0),
  form: z.enum(['members', 'absent', 'bits']),
  data: z.string(),
});
export type LinesPart = z.infer<typeof LinesPart>;

export const RuleState = z.object({
  /** Lines that match so far. */
  match_count: z.number(),
  /** Why the rule is ignored; null for a valid one. */
  problem: z.string().nullable(),
  /** Whether the expression stopped making progress; earlier matches count. */
  timed_out: z.boolean(),
});
export type RuleState = z.infer<typeof RuleState>;

export const FilterState = z.object({
  /** The document's generation: another generation is another text. */
  generation: z.number(),
  searched_bytes: z.number(),
  total_bytes: z.number(),
  /** All lines up to this one were filtered. */
  settled_line: z.number(),
  /** Drop the parts from this key on, then add `parts`. 0 with a new generation. */
  from_key: z.number().int().min(0),
  parts: z.array(LinesPart),
  /** In the order of the filter's rules. */
  rules: z.array(RuleState),
  done: z.boolean(),
});
export type FilterState = z.infer<typeof FilterState>;

/** Merges two consecutive events into one with the same effect. */
export function mergeFilterStates(first: FilterState, next: FilterState): FilterState {
  if (first.generation !== next.generation) return next;
  const kept = first.parts.filter(({ key }) => key < next.from_key);
  return {
    ...next,
    from_key: Math.min(first.from_key, next.from_key),
    parts: [...kept, ...next.parts],
  };
}

/** A request for rows of any lines. */
export const RowsOfParams = z.object({
  document: DocumentRef,
  /** Rising numbers, from 1. The reply has fewer rows if lines are costly. */
  lines: z
    .array(z.number().int().min(1))
    .min(1)
    .max(ROWS_PER_BLOCK * 4),
  /** Mark where this matches in the rows. */
  highlight: SearchQuery.optional(),
});
export type RowsOfParams = z.infer<typeof RowsOfParams>;

/** Most lines of an export in one request or reply. */
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
