/** Runs the `spillway` command for the extension's own commands. */
import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import { findExecutable, readSettings } from './settings.ts';

/** Opens an artifact or a file in Spillway's window or page. Says why if that fails. */
export function openInSpillway(target: string): void {
  const { path } = readSettings();
  const spillway = findExecutable(path);
  if (spillway === null) {
    void vscode.window.showErrorMessage(
      `Spillway is not installed at ${path}: set spillway.path to its command, then try again`,
    );
    return;
  }
  const child = spawn(spillway, ['open', target], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const failed = (why: string) =>
    vscode.window.showErrorMessage(`Spillway could not open it: ${why.trim() || 'it gave no reason'}`);
  child.on('error', ({ message }) => void failed(message));
  child.on('exit', (status) => {
    if (status !== 0) void failed(said);
  });
}
