/** Finds the last typed command that failed in a terminal, with the end of its output, for an editor. */
import { closeSync, readSync } from 'node:fs';
import { readTerminalLog } from '../../store/contents/commands.ts';
import { readEntry } from '../../store/format/entry.ts';
import { openOwn } from '../../store/format/small-file.ts';
import type { TerminalCapture } from './editor-terminals.ts';
import { typedCommands } from './typed-commands.ts';

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
