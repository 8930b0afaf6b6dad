/** Opening a file that a line of output names in the person's editor. */
import * as z from 'zod';

export const OpenInEditorParams = z.object({
  artifact_id: z.string(),
  /** As the line has it; relative to where the artifact's command ran. */
  path: z.string().min(1).max(4096),
  /** From 1. */
  line: z.number().int().min(1).max(99_999_999),
  column: z.number().int().min(1).max(99_999_999).nullable(),
});
export type OpenInEditorParams = z.infer<typeof OpenInEditorParams>;

export const OpenInEditorResult = z.object({
  /** Its real path. */
  file: z.string(),
  /** The name of the editor's program. */
  editor: z.string(),
});
export type OpenInEditorResult = z.infer<typeof OpenInEditorResult>;
