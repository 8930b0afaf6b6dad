/** Shows the output of the last typed command that failed, from the files of its terminal's recording. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { lineText } from '../../shared/text/line-text.ts';
import type { TerminalRecord } from './records.ts';
import type { WindowTerminals } from './terminals.ts';

/** Shows the end of a longer output: errors come last. */
const MAX_BYTES = 1024 * 1024;
/** Statuses of Ctrl-C and Ctrl-Z: the user ended or stopped the command, so it did not fail. */
const CANCELLED = [130, 146, 148];

interface FailedCommand {
  command: string;
  exitCode: number;
  endedAt: string;
  start: number;
  end: number;
  file: string;
}

/** Looks in the active terminal first, then in all of this window. */
export async function showLastFailed({ active, all }: WindowTerminals): Promise<void> {
  const found =
    failedIn(active?.record ?? null) ??
    all
      .flatMap(({ record }) => failedIn(record) ?? [])
      .sort((a, b) => b.endedAt.localeCompare(a.endedAt))
      .at(0);
  if (!found) {
    void vscode.window.showInformationMessage('No command that was typed in a recorded terminal has failed.');
    return;
  }
  const head = `$ ${found.command}\n`;
  const content = `${head}${outputOf(found)}\n[exit status ${found.exitCode}]\n`;
  const document = await vscode.workspace.openTextDocument({ content, language: 'log' });
  await vscode.window.showTextDocument(document, { preview: true });
}

/** Null when none failed, or nothing is recorded. */
function failedIn(record: TerminalRecord | null): FailedCommand | null {
  if (record?.file == null) return null;
  const begun = new Map<number, { command: string; start_offset: number }>();
  let failed: FailedCommand | null = null;
  for (const entry of entriesOf(join(record.folder, `${record.artifactId}.commands`))) {
    if (entry.type === 'begun') begun.set(entry.number, entry);
    const command = entry.type === 'ended' ? begun.get(entry.number) : undefined;
    if (entry.type !== 'ended' || !command || !entry.exit_code || CANCELLED.includes(entry.exit_code))
      continue;
    const { exit_code: exitCode, ended_at: endedAt, end_offset: end } = entry;
    const [text, start] = [command.command, command.start_offset];
    failed = { command: text, exitCode, endedAt, start, end, file: record.file };
  }
  return failed;
}

type Entry =
  | { type: 'begun'; number: number; command: string; start_offset: number }
  | { type: 'ended'; number: number; exit_code: number | null; ended_at: string; end_offset: number };

function entriesOf(path: string): Entry[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Entry);
  } catch {
    return [];
  }
}

function outputOf({ file, start, end }: FailedCommand): string {
  const from = Math.max(start, end - MAX_BYTES);
  const buffer = Buffer.alloc(end - from);
  const fd = openSync(file, 'r');
  try {
    const text = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from)).toString();
    return text.split('\n').map(lineText).join('\n').trimEnd();
  } finally {
    closeSync(fd);
  }
}
