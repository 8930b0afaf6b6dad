/**
 * The format of `<artifact>.commands`: the commands typed in a recorded terminal, and its sizes. JSON lines, appended
 * when a command begins, when it ends, and when the terminal is resized. Offsets are bytes from the stream's start
 * and count bytes that were not stored; lines count from 1. An unfinished last line is ignored.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { usualSecrets } from '../../../shared/secrets/mask.ts';
import { commandsFile } from '../format/names.ts';
import { readOwn } from '../format/small-file.ts';

const count = z.number().int().min(0);

const CommandBegun = z.object({
  type: z.literal('begun'),
  /** From 1, in the order they were typed. */
  number: z.number().int().min(1),
  command: z.string(),
  cwd: z.string().nullable(),
  started_at: z.string(),
  /** Start of the prompt it was typed at. */
  prompt_line: count,
  prompt_offset: count,
  /** Start of its output. */
  start_line: count,
  start_offset: count,
});
type CommandBegun = z.infer<typeof CommandBegun>;

const CommandEnded = z.object({
  type: z.literal('ended'),
  number: z.number().int().min(1),
  exit_code: z.number().int().nullable(),
  ended_at: z.string(),
  /** End of its output, exclusive. */
  end_offset: count,
  /** The last line of its output; null when it printed nothing. */
  end_line: count.nullable(),
});
type CommandEnded = z.infer<typeof CommandEnded>;

export const Resized = z.object({
  type: z.literal('resized'),
  /** Offset of the first byte written at this size. */
  offset: count,
  columns: z.number().int().min(1),
  rows: z.number().int().min(1),
});
export type Resized = z.infer<typeof Resized>;

export const TerminalEntry = z.discriminatedUnion('type', [CommandBegun, CommandEnded, Resized]);
export type TerminalEntry = z.infer<typeof TerminalEntry>;

export interface RecordedCommand extends CommandBegun {
  /** Null while it runs, and when the terminal was killed before it ended. */
  end: CommandEnded | null;
}

export interface RecordedTerminal {
  /** In the order they were typed. */
  commands: RecordedCommand[];
  /** In order; the first is the size at the start. */
  sizes: Resized[];
}

/** Masks secrets in a command: they are in no file beside the stream. */
export function encodeEntry(entry: TerminalEntry): string {
  const shown = entry.type === 'begun' ? { ...entry, command: usualSecrets.mask(entry.command).text } : entry;
  return `${JSON.stringify(shown)}\n`;
}

/** Commands of years; a larger log counts as none. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

/** Reads the log of a terminal in a session's folder. */
export function readTerminalLog(folder: string, id: string): RecordedTerminal {
  return parseTerminalLog(readOwn(join(folder, commandsFile(id)), MAX_LOG_BYTES) ?? '');
}

/** Skips lines that can't be parsed: cut short, or written by a later version. */
export function parseTerminalLog(text: string): RecordedTerminal {
  const commands = new Map<number, RecordedCommand>();
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
