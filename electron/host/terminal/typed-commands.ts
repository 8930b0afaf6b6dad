/** The commands of a terminal as they are shown: newest first, with what became of each, and why it failed. */

import type { Cause } from '../../../shared/artifact.ts';
import type { TypedCommand, TypedCommandStatus } from '../../../shared/terminals.ts';
import type { FailureView } from '../../../shared/views.ts';
import type { RecordedCommand as LoggedCommand, RecordedTerminal } from '../../store/contents/commands.ts';
import { type CaptureEntry, shownLabel } from '../../store/format/entry.ts';
import { storedOffset } from '../../store/format/record.ts';

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

/** One request explains so much output that was not explained before: more takes longer than a list may. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_KNOWN = 2000;

/** Explains lines of a terminal. */
type ExplainLines = (range: { start_line: number; end_line: number }) => Promise<FailureView>;

/** Finds the cause of each failed command of a terminal, and remembers it: their output no longer changes. */
export class CommandCauses {
  readonly #known = new Map<string, Cause | null>();

  /** Adds `cause` to failed commands, the first of the list first. The rest get theirs with a later request. */
  async addTo(commands: readonly TypedCommand[], explain: ExplainLines): Promise<TypedCommand[]> {
    let left = MOST_BYTES;
    const asked = commands.filter((command) => {
      if (command.status !== 'failed' || this.#known.has(keyOf(command))) return false;
      const bytes = bytesOf(command);
      if (bytes > left) return false;
      left -= bytes;
      return true;
    });
    await Promise.all(asked.map((command) => this.#find(command, explain)));
    return commands.map((command) => ({ ...command, cause: this.#known.get(keyOf(command)) ?? null }));
  }

  async #find(command: TypedCommand, explain: ExplainLines): Promise<void> {
    const { start_line, end_line } = command;
    try {
      const { cause } =
        start_line === null || end_line === null ? { cause: null } : await explain({ start_line, end_line });
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(keyOf(command), cause);
    } catch {
      // The terminal was removed, or the request was cancelled: ask again next time.
    }
  }
}

const bytesOf = ({ start_offset, end_offset }: TypedCommand) => (end_offset ?? start_offset) - start_offset;
const keyOf = ({ artifact_id, number }: TypedCommand) => `${artifact_id} ${number}`;
