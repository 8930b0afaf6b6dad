/** A report of a failure: one HTML or Markdown document that needs nothing else to be read (CONTRACT 3). */
import * as z from 'zod';
import { StreamName } from './artifact.ts';

export const ReportFormat = z.enum(['html', 'markdown']);
export type ReportFormat = z.infer<typeof ReportFormat>;

/** Marks beyond these are not in a report. */
export const MAX_REPORT_MARKS = 200;

export const ReportParams = z.object({
  artifact_id: z.string().optional(),
  file_path: z.string().optional(),
  format: ReportFormat,
  /** Lines that a person marked, which only the window knows. */
  marks: z
    .array(z.object({ stream: StreamName, line: z.number().int().min(1), note: z.string().max(4000) }))
    .max(MAX_REPORT_MARKS)
    .optional(),
  /** Whether secrets are masked. Default true: a report is made to be given away. */
  redact: z.boolean().optional(),
});
export type ReportParams = z.infer<typeof ReportParams>;

export const Report = z.object({
  artifact_id: z.string(),
  text: z.string(),
  /** Secrets that were masked. */
  redacted: z.number().int().min(0),
});
export type Report = z.infer<typeof Report>;
