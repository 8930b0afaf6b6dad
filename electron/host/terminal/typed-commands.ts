/** The commands of a terminal as they are shown: newest first, with what became of each. */
import type { TypedCommand, TypedCommandStatus } from '../../../shared/terminals.ts';
import type { RecordedCommand as LoggedCommand, RecordedTerminal } from '../../store/contents/commands.ts';
import { storedOffset } from '../../store/contents/since.ts';
import { type CaptureEntry, shownLabel } from '../../store/format/entry.ts';

export function typedCommands(entry: CaptureEntry, log: RecordedTerminal): TypedCommand[] {
  const { id, record } = entry;
  const gap = record.streams[0]?.gap ?? null;
  const running = record.status === 'running';
  return log.commands.toReversed().map((command, index) => {
    const { end } = command;
    const hasOutput = end === null || end.end_line !== null;
    return {
      artifact_id: id,
      terminal: shownLabel(entry),
      number: command.number,
      command: command.command,
      cwd: command.cwd,
      status: statusOf(command, running && index === 0),
      exit_code: end?.exit_code ?? null,
      started_at: command.started_at,
      ended_at: end?.ended_at ?? null,
      duration_ms: end === null ? null : Date.parse(end.ended_at) - Date.parse(command.started_at),
      prompt_line: command.prompt_line,
      start_line: hasOutput ? command.start_line : null,
      end_line: end?.end_line ?? null,
      start_offset: storedOffset(gap, command.start_offset),
      end_offset: end === null ? null : storedOffset(gap, end.end_offset),
      cause: null,
    };
  });
}

/** Exit statuses that shells give for Ctrl-C, and for Ctrl-Z (on Linux, and on macOS). */
const CANCELLED = new Set([130, 146, 148]);

/** Without a status of its own the shell ends with that of the command before, which is the one that failed. */
const LEAVES = /^\s*(exit|logout)(\s+-?\d+)?\s*;?\s*$/;

function statusOf({ command, end }: LoggedCommand, mayRun: boolean): TypedCommandStatus {
  if (end === null) return mayRun ? 'running' : 'interrupted';
  if (end.exit_code === null) return 'interrupted';
  if (LEAVES.test(command)) return 'succeeded';
  if (CANCELLED.has(end.exit_code)) return 'cancelled';
  return end.exit_code === 0 ? 'succeeded' : 'failed';
}
