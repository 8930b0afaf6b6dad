/** Shows the output of the last typed command that failed, from the files of its terminal's recording. */
import * as vscode from 'vscode';
import { formatBytes } from '../../shared/text/format.ts';
import { lineText } from '../../shared/text/line-text.ts';
import { lastFailedCommand } from '../host/terminal/failed-command.ts';
import type { WindowTerminals } from './terminals.ts';

/** Looks in the active terminal first, then in all of this window. */
export async function showLastFailed({ active, all }: WindowTerminals): Promise<void> {
  const found =
    (active?.record && lastFailedCommand(active.record)) ??
    all
      .flatMap(({ record }) => (record && lastFailedCommand(record)) ?? [])
      .sort((a, b) => b.endedAt.localeCompare(a.endedAt))
      .at(0);
  if (!found) {
    void vscode.window.showInformationMessage('No command that was typed in a recorded terminal has failed.');
    return;
  }
  const { command, exitCode, output, missing } = found;
  const text = output.split('\n').map(lineText).join('\n').trimEnd();
  const left = missing > 0 ? `[${formatBytes(missing)} of its output are not shown here]\n` : '';
  const content = `$ ${command}\n${text}\n${left}[exit status ${exitCode}]\n`;
  const document = await vscode.workspace.openTextDocument({ content, language: 'log' });
  await vscode.window.showTextDocument(document, { preview: true });
}
