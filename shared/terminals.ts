/** Requests about recorded terminals (CONTRACT 6, get_terminal_output), and the commands typed in them. */
import * as z from 'zod';
import { Cause } from './artifact.ts';
import { LinesView } from './views.ts';

const count = z.number().int().min(0);

const TerminalMode = z.enum(['tail', 'head', 'all', 'since', 'screen', 'last_failed']);
export type TerminalMode = z.infer<typeof TerminalMode>;

export const DEFAULT_TERMINAL_LINES = 100;

/** The warning of a terminal that was open before recording began. */
export const INCOMPLETE_TERMINAL =
  'Incomplete: this terminal was open before terminals were recorded, so what it prints is not here. Open a new terminal to record it';

export const TypedCommandStatus = z.enum([
  'running',
  'succeeded',
  'failed',
  /** By Ctrl-C, or stopped by Ctrl-Z. */
  'cancelled',
  /** The terminal was closed first. */
  'interrupted',
]);
export type TypedCommandStatus = z.infer<typeof TypedCommandStatus>;

/** A command typed in a recorded terminal. */
export const TypedCommand = z.object({
  /** The terminal's id. */
  artifact_id: z.string(),
  terminal: z.string(),
  /** From 1, in the order they were typed. */
  number: count,
  command: z.string(),
  cwd: z.string().nullable(),
  status: TypedCommandStatus,
  exit_code: z.number().int().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  /** The line of the prompt it was typed at. */
  prompt_line: count,
  /** The lines of its output; both null if it printed nothing, the second also while it runs. */
  start_line: count.nullable(),
  end_line: count.nullable(),
  /**
   * Its output in the stored stream, in bytes: from `start_offset` to before `end_offset`, which is null while it
   * runs.
   */
  start_offset: count,
  end_offset: count.nullable(),
  /** The line that best explains why it failed. */
  cause: Cause.nullable().default(null),
});
export type TypedCommand = z.infer<typeof TypedCommand>;

export const TerminalOutputParams = z.object({
  /**
   * An artifact id. By default the active one in VS Code, else the most recently active; for `last_failed`, the
   * one whose command failed last.
   */
  terminal_id: z.string().optional(),
  mode: TerminalMode.optional(),
  /** Lines for `tail`, `head`, `since`, and the last ones for `last_failed`. */
  lines: z.number().int().min(1).optional(),
  /** For `since`: ISO 8601. */
  since_timestamp: z.string().optional(),
  /** Longest `content`, in characters: whole lines are left out to keep to it. */
  max_chars: z.number().int().min(1).optional(),
});
export type TerminalOutputParams = z.input<typeof TerminalOutputParams>;

export const TerminalOutput = LinesView.extend({
  mode: TerminalMode,
  name: z.string(),
  started_at: z.string(),
  /** When its last byte arrived. */
  last_activity: z.string(),
  /** With `screen`: size in characters, and the cursor's position, from 1. */
  screen: z
    .object({
      columns: count,
      rows: count,
      cursor_row: count,
      cursor_column: count,
      /** Whether a full-screen program shows it. */
      alternate: z.boolean(),
    })
    .optional(),
  /** With `last_failed`: the command whose output it is. */
  typed_command: TypedCommand.optional(),
});
export type TerminalOutput = z.infer<typeof TerminalOutput>;

export const TerminalCommandsParams = z.object({
  artifact_id: z.string(),
  /** Only failed commands. */
  failed: z.boolean().optional(),
  limit: z.number().int().min(1).max(1000).optional(),
});
export type TerminalCommandsParams = z.input<typeof TerminalCommandsParams>;

/** Newest first. */
export const TerminalCommands = z.object({
  commands: z.array(TypedCommand),
  /** Number of all commands, or of all failed ones. */
  total: count,
});
export type TerminalCommands = z.infer<typeof TerminalCommands>;

/** Null when none failed. */
export const LastFailedCommand = z.object({ command: TypedCommand.nullable() });
export type LastFailedCommand = z.infer<typeof LastFailedCommand>;
