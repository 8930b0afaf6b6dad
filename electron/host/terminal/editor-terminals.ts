/**
 * Stores what an editor knows of its terminals: names of recorded terminals, and records of terminals that were open
 * before recording began. Throws what the system throws.
 */
import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Cause } from '../../../shared/artifact.ts';
import {
  INCOMPLETE_TERMINAL,
  type TypedCommand,
  type TypedCommandStatus,
} from '../../../shared/terminals.ts';
import type { FailureView } from '../../../shared/views.ts';
import {
  type RecordedCommand as LoggedCommand,
  type RecordedTerminal,
  readTerminalLog,
} from '../../store/contents/commands.ts';
import { type CaptureEntry, fullRecord, readEntry, shownLabel } from '../../store/format/entry.ts';
import { nameFile, newArtifactId, recordFile } from '../../store/format/names.ts';
import { ownerOf } from '../../store/format/owner.ts';
import { type CaptureRecord, RECORD_VERSION, storedOffset } from '../../store/format/record.ts';
import { openSessionFolder } from '../../store/format/session.ts';
import { openOwn, replaceFile } from '../../store/format/small-file.ts';
import { prepareHome } from '../settings/home.ts';

/** One capture: its id, and the path of its session's folder. */
export interface TerminalCapture {
  artifactId: string;
  folder: string;
}

interface OpenTerminal {
  session: string;
  name: string;
  /** Its shell's process: the terminal counts as running for as long as this does. */
  pid: number;
  cwd: string | null;
}

const MAX_NAME_CHARS = 200;

/** `name` empty: as the recording calls it. */
export function nameTerminal({ folder, artifactId }: TerminalCapture, name: string): void {
  if (readEntry(folder, artifactId) === null) return;
  replaceFile(join(folder, nameFile(artifactId)), name.slice(0, MAX_NAME_CHARS));
}

/** Makes the record of a terminal that nothing records. */
export function listTerminal(home: string, { session, name, pid, cwd }: OpenTerminal): TerminalCapture {
  prepareHome(home);
  const now = new Date();
  const folder = openSessionFolder(home, session, now);
  const label = name.slice(0, MAX_NAME_CHARS);
  const artifactId = newArtifactId('terminal', label, now);
  const record: CaptureRecord = {
    ...{ version: RECORD_VERSION, artifact_id: artifactId, kind: 'terminal', label, session, cwd },
    ...{ command: null, args: null, env_names: null, agent: null, origin: null },
    ...{ status: 'running', exit_code: null, signal: null, cause: null },
    ...{ started_at: now.toISOString(), ended_at: null, duration_ms: null },
    ...{ warnings: [INCOMPLETE_TERMINAL], recorder: ownerOf(pid), stop: null, times: null, terminal: null },
    streams: [
      {
        ...{ name: 'output', file: null, folded: '', total_bytes: 0, total_lines: 0 },
        ...{ gap: null, content_type: 'log' },
      },
    ],
  };
  replaceFile(join(folder, recordFile(artifactId)), JSON.stringify(record));
  return { artifactId, folder };
}

/** Concludes the record of a listed terminal. `exitCode` null: unknown. */
export function endTerminal({ folder, artifactId }: TerminalCapture, exitCode: number | null): void {
  const entry = readEntry(folder, artifactId);
  if (entry === null) return;
  const record = fullRecord(entry);
  const now = new Date();
  const ended: CaptureRecord = {
    ...record,
    ...{ status: 'finished', exit_code: exitCode, recorder: null },
    ...{
      ended_at: now.toISOString(),
      duration_ms: Math.max(0, now.getTime() - Date.parse(record.started_at)),
    },
  };
  replaceFile(join(folder, recordFile(artifactId)), JSON.stringify(ended));
}

// Finds the last typed command that failed in a terminal, with the end of its output, for an editor.

/** The end of a longer output is read: errors come last. */
const MAX_BYTES = 1024 * 1024;

interface FailedCommand {
  command: string;
  exitCode: number;
  endedAt: string;
  output: string;
  /** Bytes of it that are not stored in the stream's file. */
  missing: number;
}

/** Null when none failed, or nothing is recorded. */
export function lastFailedCommand({ folder, artifactId }: TerminalCapture): FailedCommand | null {
  const entry = readEntry(folder, artifactId);
  const path = entry?.streams[0]?.path;
  if (!entry || !path) return null;
  const log = readTerminalLog(folder, artifactId);
  const failed = typedCommands(entry, log).find(({ status }) => status === 'failed');
  const printed = log.commands.find(({ number }) => number === failed?.number);
  if (!failed || !printed?.end) return null;
  const end = failed.end_offset!;
  const start = Math.max(failed.start_offset, end - MAX_BYTES);
  const bytes = bytesIn(path, start, end);
  const stored = bytes.length + start - failed.start_offset;
  return {
    command: failed.command,
    exitCode: failed.exit_code!,
    endedAt: failed.ended_at!,
    output: bytes.toString(),
    missing: printed.end.end_offset - printed.start_offset - stored,
  };
}

function bytesIn(path: string, start: number, end: number): Buffer {
  const fd = path.endsWith('.gz') ? null : openOwn(path);
  if (fd === null) return Buffer.alloc(0);
  try {
    const bytes = Buffer.alloc(end - start);
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start));
  } finally {
    closeSync(fd);
  }
}

/** The commands of a terminal as they are shown: newest first, with what became of each, and why it failed. */
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
