/** Declares agents' directories and their switches: in the window, in `spillway sources`, and in config.json. */
import * as z from 'zod';

/** Which captures are kept when their owner deletes them. */
export const Rescue = z.enum(['off', 'failed', 'all']);
export type Rescue = z.infer<typeof Rescue>;

/** Deleted captures of an agent: what was kept, and what rescue could not keep. */
export const Rescued = z.object({
  kept: z.number(),
  kept_bytes: z.number(),
  missed: z.number(),
  missed_bytes: z.number(),
  /** Why the last one was missed: ends the sentence "missed, because …". */
  why: z.string().nullable(),
});
export type Rescued = z.infer<typeof Rescued>;

export const SourceInfo = z.object({
  /** Name of its kind; of a person's own directory, its path. */
  name: z.string(),
  title: z.string(),
  /** Id of the agent whose captures they are; null for a person's own directory. */
  agent: z.string().nullable(),
  /** Directories that exist. */
  folders: z.array(z.string()),
  /** Whether its captures are listed. */
  enabled: z.boolean(),
  /** Agents may read them over MCP. */
  mcp: z.boolean(),
  rescue: Rescue,
  /** Null if nothing was kept or missed yet. */
  rescued: Rescued.nullable(),
  captures: z.number(),
  bytes: z.number(),
  /** Whether some of its directories are on a file system in memory. */
  in_memory: z.boolean(),
});
export type SourceInfo = z.infer<typeof SourceInfo>;

export const SourceList = z.object({
  sources: z.array(SourceInfo),
  /** Whether the person has not decided about agents' directories yet. */
  undecided: z.boolean(),
});
export type SourceList = z.infer<typeof SourceList>;

export const SourceChange = z.object({
  /** Names of kinds that were found. */
  names: z.array(z.string()).min(1).max(100),
  enabled: z.boolean().optional(),
  mcp: z.boolean().optional(),
  rescue: Rescue.optional(),
});
export type SourceChange = z.infer<typeof SourceChange>;
