/** The differences between an output and those of runs that passed (CONTRACT 5). */
import * as z from 'zod';
import { StreamName } from './artifact.ts';

const count = z.number().int().min(0);

/** An output, by its id or its path. */
const Output = z.object({ artifact_id: z.string().optional(), file_path: z.string().optional() });

export const CompareParams = Output.extend({
  /** By default the last runs of the same command that passed. */
  baselines: z.array(Output).max(30).optional(),
});
export type CompareParams = z.input<typeof CompareParams>;

export const Finding = z.object({
  kind: z.enum(['new', 'changed', 'gone', 'order']),
  stream: StreamName,
  /** Null for what is gone. */
  line_number: count.nullable(),
  text: z.string(),
  /** Lines that it stands for; of what is gone or out of order, messages. */
  count,
  /** The most similar message of the baselines. */
  baseline_text: z.string().nullable(),
  /** Its line in the first baseline; null if that one has it not. */
  baseline_line: count.nullable(),
  /** The least and the most lines of it in a baseline, where that is what changed. */
  baseline_counts: z.tuple([count, count]).optional(),
});
export type Finding = z.infer<typeof Finding>;

export const Comparison = z.object({
  artifact_id: z.string(),
  baselines: z.array(
    z.object({
      artifact_id: z.string(),
      started_at: z.string().nullable(),
      /** `command`: a run of the same command line and directory; `nearest`: of the most similar one. */
      chosen: z.enum(['command', 'nearest', 'given']),
    }),
  ),
  /** Most telling first. */
  findings: z.array(Finding),
  /** Every new or changed line, in ranges. */
  lines: z.array(z.tuple([count, count])),
  total_findings: count,
  truncated: z.boolean(),
  /** Says what was not compared and why, and whether the same failure came before. */
  note: z.string().optional(),
});
export type Comparison = z.infer<typeof Comparison>;
