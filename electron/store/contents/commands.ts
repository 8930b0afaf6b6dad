/**
 * `<artifact>.commands`: what was typed in a recorded terminal, and when it changed its size. JSON lines, appended as
 * things happen: a command when it begins, what it ended with when it ends. Offsets are bytes of the stream from its
 * start, those that were not stored included; lines count from 1. A line that is cut short is not there.
 */
import * as z from 'zod';

const count = z.number().int().min(0);

export const CommandBegun = z.object({
  type: z.literal('begun'),
  /** From 1, in the order they were typed. */
  number: z.number().int().min(1),
  command: z.string(),
  cwd: z.string().nullable(),
  started_at: z.string(),
  /** Where the prompt begins that it was typed at. */
  prompt_line: count,
  prompt_offset: count,
  /** Where its output begins. */
  start_line: count,
  start_offset: count,
});
export type CommandBegun = z.infer<typeof CommandBegun>;

export const CommandEnded = z.object({
  type: z.literal('ended'),
  number: z.number().int().min(1),
  exit_code: z.number().int().nullable(),
  ended_at: z.string(),
  /** Behind its output. */
  end_offset: count,
  /** The last line of its output; null when it printed nothing. */
  end_line: count.nullable(),
});
export type CommandEnded = z.infer<typeof CommandEnded>;

export const Resized = z.object({
  type: z.literal('resized'),
  /** Of the first byte that was written to a screen of this size. */
  offset: count,
  columns: z.number().int().min(1),
  rows: z.number().int().min(1),
});
export type Resized = z.infer<typeof Resized>;

export const TerminalEntry = z.discriminatedUnion('type', [CommandBegun, CommandEnded, Resized]);
export type TerminalEntry = z.infer<typeof TerminalEntry>;

export interface TypedCommand extends CommandBegun {
  /** Null while it runs, and for ever where the terminal was killed. */
  end: CommandEnded | null;
}

export interface TerminalLog {
  /** In the order they were typed. */
  commands: TypedCommand[];
  /** In order; the first is the size at the start. */
  sizes: Resized[];
}

export function encodeEntry(entry: TerminalEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Lines that make no sense (cut short, or of a later version) are left out. */
export function parseTerminalLog(text: string): TerminalLog {
  const commands = new Map<number, TypedCommand>();
  const sizes: Resized[] = [];
  for (const line of text.split('\n')) {
    const entry = parseEntry(line);
    if (entry?.type === 'resized') sizes.push(entry);
    if (entry?.type === 'begun') commands.set(entry.number, { ...entry, end: null });
    const command = entry?.type === 'ended' ? commands.get(entry.number) : undefined;
    if (entry?.type === 'ended' && command) command.end = entry;
  }
  return { commands: [...commands.values()], sizes };
}

function parseEntry(line: string): TerminalEntry | null {
  if (line === '') return null;
  try {
    return TerminalEntry.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
