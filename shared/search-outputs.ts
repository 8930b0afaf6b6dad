/** A search over many outputs: what is asked, and what was found in each, grouped by the shape of the message. */
import * as z from 'zod';
import { schemaFields } from './arguments/argument.ts';
import { SEARCH_ARGUMENTS } from './arguments/views.ts';
import { Status } from './artifact.ts';

export const SearchOutputsParams = z.object({
  pattern: z.string(),
  ...schemaFields(SEARCH_ARGUMENTS),
  /** Only outputs of commands that failed. */
  failed: z.boolean().optional(),
});
export type SearchOutputsParams = z.infer<typeof SearchOutputsParams>;

/** Matching lines of one shape in one output. */
const FoundLine = z.object({
  /** With the parts that vary masked. */
  shape: z.string(),
  /** Matching lines of this shape. */
  count: z.number(),
  /** The first of them. */
  line_number: z.number(),
  text: z.string(),
});
export type FoundLine = z.infer<typeof FoundLine>;

const FoundOutput = z.object({
  artifact_id: z.string(),
  label: z.string(),
  status: Status,
  exit_code: z.number().nullable(),
  started_at: z.string().nullable(),
  match_count: z.number(),
  /** In order of their first line. */
  lines: z.array(FoundLine),
  /** Not all matches are in `lines`: there are very many, or the expression stopped making progress. */
  truncated: z.boolean(),
});
export type FoundOutput = z.infer<typeof FoundOutput>;

const FoundShape = FoundLine.extend({
  /** Outputs that have it. `line_number` and `text` are of the newest, `artifact_id`. */
  output_count: z.number(),
  artifact_id: z.string(),
});
export type FoundShape = z.infer<typeof FoundShape>;

export const FoundOutputs = z.object({
  /** Outputs with matches, newest first. */
  outputs: z.array(FoundOutput),
  /** Their messages, in order of the newest output that has each. */
  shapes: z.array(FoundShape),
  /** Matching lines in these outputs. */
  match_count: z.number(),
  /** Outputs that were searched. */
  searched: z.number(),
  /** Outputs that could not be searched: binary, unreadable, or `slow`. */
  unsearched: z.number(),
  /** Ids of those that took longer than an agent waits, such as archives of gigabytes. */
  slow: z.array(z.string()).optional(),
  /** In some output the expression stopped making progress. */
  timed_out: z.boolean(),
  /** Continues with older outputs; null if all were searched. */
  next_cursor: z.string().nullable(),
});
export type FoundOutputs = z.infer<typeof FoundOutputs>;
