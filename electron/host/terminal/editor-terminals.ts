/**
 * Stores what an editor knows of its terminals: names of recorded terminals, and records of terminals that were open
 * before recording began. Throws what the system throws.
 */

import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { INCOMPLETE_TERMINAL } from '../../../shared/terminals.ts';
import { readTerminalLog } from '../../store/contents/commands.ts';
import { fullRecord, readEntry } from '../../store/format/entry.ts';
import { nameFile, newArtifactId, recordFile } from '../../store/format/names.ts';
import { ownerOf } from '../../store/format/owner.ts';
import { type CaptureRecord, RECORD_VERSION } from '../../store/format/record.ts';
import { openSessionFolder } from '../../store/format/session.ts';
import { openOwn, replaceFile } from '../../store/format/small-file.ts';
import { prepareHome } from '../settings/home.ts';
import { typedCommands } from './typed-commands.ts';

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
