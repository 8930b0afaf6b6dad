/** The differences between an output and those of runs that passed (CONTRACT 5). */
import * as z from 'zod';
import { StreamName } from './artifact.ts';

const count = z.number().int().min(0);

/** An output, by its id or its path. */
const Output = z.object({
  artifact_id: z.string().optional(),
  file_path: z.string().optional(),
  /** By default the one that has all of the output. Runs that are not named are read by the same stream if they have it. */
  stream: StreamName.optional(),
  /** By default all lines. */
  start_line: z.number().int().min(1).optional(),
  end_line: z.number().int().min(1).optional(),
});

/** Parses `NAME:from-to`, where either number may be absent. Null if no lines are named. */
export function namedLines(given: string): { name: string; start_line?: number; end_line?: number } | null {
  const [, name, from, to] = /^(.+):(\d*)-(\d*)$/s.exec(given) ?? [];
  if (name === undefined || (from === '' && to === '')) return null;
  return { name, ...(from ? { start_line: Number(from) } : {}), ...(to ? { end_line: Number(to) } : {}) };
}

export const CompareParams = Output.extend({
  /** By default the last runs of the same command that passed. */
  baselines: z.array(Output).max(30).optional(),
  /** Whether `lines` must have every line of a long output. Default true; without, a stored table may be enough. */
  all_lines: z.boolean().optional(),
  /** Whether the note says that the same failure came before. Default true; the window shows it as a link. */
  same_failure: z.boolean().optional(),
});
export type CompareParams = z.input<typeof CompareParams>;

/** From the first line to the last. */
const Lines = z.tuple([count, count]);

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
      chosen: z.enum(['command', 'nearest', 'job', 'rotation', 'given']),
    }),
  ),
  /** Most telling first. */
  findings: z.array(Finding),
  /** The line that explains a failure best, if what the passes have, too, explains nothing. */
  cause: z.object({ stream: StreamName, line_number: count, text: z.string() }).nullable(),
  /** Every new or changed line, in ranges. */
  lines: z.array(Lines),
  /** Those whose message is known, but not its value. */
  changed_lines: z.array(Lines),
  total_findings: count,
  /** How the run exited and how all of the baselines did, where that differs. */
  exit_codes: z.tuple([z.number().int(), z.number().int()]).optional(),
  truncated: z.boolean(),
  /** Says what was not compared and why, and whether the same failure came before. */
  note: z.string().optional(),
});
export type Comparison = z.infer<typeof Comparison>;

/** Why there is nothing to compare a run with. */
export const NO_PASS = 'no run of this has passed here';

/** The last earlier run of the same command that failed with the same cause. */
export const SameFailure = z.object({
  artifact_id: z.string(),
  started_at: z.string().nullable(),
  /** Failures with this cause within a week before the run, and the run itself. */
  times_in_week: count,
});
export type SameFailure = z.infer<typeof SameFailure>;
