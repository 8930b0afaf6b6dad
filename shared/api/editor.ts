/** Declares the request to open a file, named in a line of output, in the person's editor. */
import * as z from 'zod';
import { MAX_LONGER } from '../text/file-links.ts';

export const OpenInEditorParams = z.object({
  artifact_id: z.string(),
  /** The path as written in the line; relative to the command's working directory. */
  path: z.string().min(1).max(4096),
  /** Longer readings of it, which are tried first. */
  longer: z.array(z.string().min(1).max(4096)).max(MAX_LONGER).default([]),
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
