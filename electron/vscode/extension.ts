/**
 * The extension for VS Code. Terminals are recorded by `spillway terminal`, which shims named like shells start
 * (shims.ts). VS Code's API gives the terminals, their names and the active one. Their output does not come from the
 * API, which loses most output of short commands.
 */

import { mkdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { formatBytes } from '../../shared/text/format.ts';
import { lineText } from '../../shared/text/line-text.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { lastFailedCommand } from '../host/terminal/editor-terminals.ts';
import { openInSpillway, provideLinks } from './open.ts';
import { applyProfiles, makeShim, provideProfile } from './profiles.ts';
import { findExecutable, type RecordTerminals, readSettings } from './settings.ts';
import { noteStorage } from './settings-file.ts';
import { StatusItem, showMenu } from './status.ts';
import { TerminalTracker, type WindowTerminals } from './terminals.ts';

const ASKED = 'asked';
const ANSWERS = { 'All terminals': 'all', 'Only the Spillway profile': 'profile', Never: 'off' } as const;

export function activate(context: vscode.ExtensionContext): void {
  const storage = context.globalStorageUri.fsPath;
  mkdirSync(storage, { recursive: true, mode: 0o700 });
  noteStorage(context.extensionUri.fsPath, storage);
  const status = new StatusItem();
  const terminals = new TerminalTracker({
    ...{ home: resolveHome(process.env), storage },
    changed: (found) => status.show(found),
  });
  const apply = async () => {
    const settings = readSettings();
    const records = settings.recordTerminals !== 'off' || settings.recordTasks;
    const variables = context.environmentVariableCollection;
    variables.persistent = false;
    if (records) variables.replace('SPILLWAY_SESSION', settings.session);
    else variables.clear();
    await applyProfiles(storage, settings);
    const all = settings.recordTerminals === 'all' && findExecutable(settings.path) !== null;
    terminals.set({ writes: records, listsIn: all ? settings.session : null });
  };
  const setUp = async () => {
    const answer = await ask();
    await context.globalState.update(ASKED, true);
    if (answer === null) return;
    await store('recordTerminals', answer);
    await store('recordTasks', answer === 'all');
  };
  const stop = async () => {
    await store('recordTerminals', 'off');
    await store('recordTasks', false);
  };
  const openTerminal = async () => {
    const { active } = await terminals.look();
    if (active?.record) openInSpillway(active.record.artifactId);
    else
      void vscode.window.showInformationMessage(
        'This terminal is not recorded. Open one with the Spillway profile.',
      );
  };
  const lastFailed = async () => showLastFailed(await terminals.look());
  const { registerCommand } = vscode.commands;
  context.subscriptions.push(
    status,
    terminals,
    ...provideProfile(() => {
      const settings = readSettings();
      return settings.recordTerminals === 'off' ? null : makeShim(storage, 'terminals', settings);
    }),
    vscode.window.registerTerminalLinkProvider(provideLinks(openInSpillway)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('spillway')) void apply();
    }),
    registerCommand('spillway.setUp', setUp),
    registerCommand('spillway.stop', stop),
    registerCommand('spillway.openTerminal', openTerminal),
    registerCommand('spillway.lastFailed', lastFailed),
    registerCommand('spillway.open', (uri?: vscode.Uri) => {
      const target = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (target?.scheme === 'file') openInSpillway(target.fsPath);
    }),
    registerCommand('spillway.status', async () =>
      showMenu(await terminals.look(), { setUp, stop, openTerminal, lastFailed }),
    ),
  );
  void apply();
  if (!context.globalState.get<boolean>(ASKED)) void setUp();
}

/** Null when the question was closed: nothing changes. */
async function ask(): Promise<RecordTerminals | null> {
  const answer = await vscode.window.showInformationMessage(
    'Which terminals of VS Code should Spillway record? What they print is kept on this machine, in your home.',
    ...Object.keys(ANSWERS),
  );
  return answer === undefined ? null : ANSWERS[answer as keyof typeof ANSWERS];
}

async function store(name: string, value: unknown): Promise<void> {
  const settings = vscode.workspace.getConfiguration('spillway');
  await settings.update(name, value, vscode.ConfigurationTarget.Global);
}

/** Looks in the active terminal first, then in all of this window. */
async function showLastFailed({ active, all }: WindowTerminals): Promise<void> {
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
