/**
 * The extension for VS Code. Terminals are recorded by `spillway terminal`, which shims named like shells start
 * (shims.ts). VS Code's API gives the terminals, their names and the active one. Their output does not come from the
 * API, which loses most output of short commands.
 */

import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import * as vscode from 'vscode';
import { formatBytes } from '../../shared/text/format.ts';
import { lineText } from '../../shared/text/line-text.ts';
import { resolveHome } from '../host/settings/home-path.ts';
import { lastFailedCommand } from '../host/terminal/editor-terminals.ts';
import {
  applyProfiles,
  findExecutable,
  makeShim,
  provideProfile,
  type RecordTerminals,
  readSettings,
} from './profiles.ts';
import { noteStorage } from './settings-file.ts';
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
    const { active } = await terminals.refresh();
    if (active?.record) openInSpillway(active.record.artifactId);
    else
      void vscode.window.showInformationMessage(
        'This terminal is not recorded. Open one with the Spillway profile.',
      );
  };
  const lastFailed = async () => showLastFailed(await terminals.refresh());
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
      showMenu(await terminals.refresh(), { setUp, stop, openTerminal, lastFailed }),
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

// Opens artifacts and files in Spillway: for the extension's commands, and from links in terminals.

/** Opens an artifact or a file in Spillway's window or page. Says why if that fails. */
function openInSpillway(target: string): void {
  const { path } = readSettings();
  const spillway = findExecutable(path);
  if (spillway === null) {
    void vscode.window.showErrorMessage(
      `Spillway is not installed at ${path}: set spillway.path to its command, then try again`,
    );
    return;
  }
  const child = spawn(spillway, ['open', target], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  child.stdout.on('data', (bytes: Buffer) => {
    printed += bytes.toString();
  });
  let errorText = '';
  child.stderr.on('data', (bytes: Buffer) => {
    errorText += bytes.toString();
  });
  const failed = (why: string) =>
    vscode.window.showErrorMessage(`Spillway could not open it: ${why.trim() || 'it gave no reason'}`);
  child.on('error', ({ message }) => void failed(message));
  child.on('close', (status) => {
    const url = /^Spillway is at (http\S+)$/m.exec(printed)?.[1];
    if (status !== 0) void failed(errorText);
    else if (url !== undefined && vscode.env.remoteName !== undefined) void showPage(url);
  });
}

/** Origins of pages that were opened from here: the rest of an address is another each time. */
const opened = new Set<string>();

/** Over a remote connection, Spillway runs where it can open no browser. */
async function showPage(url: string): Promise<void> {
  const again = 'Open the page';
  const { origin } = new URL(url);
  const isOpen = opened.has(origin);
  const ask = () => vscode.window.showInformationMessage("Shown on Spillway's page", again);
  if (isOpen && (await ask()) !== again) return;
  opened.add(origin);
  await vscode.env.openExternal(vscode.Uri.parse(url));
}

/** As the contract writes them: kind, label, time in UTC, six hexadecimal digits. */
const ARTIFACT_ID =
  /\b(?:cmd|tool|terminal|capture|file)-[A-Za-z0-9._-]{0,80}?\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{6}\b/g;

class ArtifactLink extends vscode.TerminalLink {
  readonly artifactId: string;

  constructor(start: number, artifactId: string) {
    super(start, artifactId.length, 'Open in Spillway');
    this.artifactId = artifactId;
  }
}

/** Makes artifact ids in terminals links. */
function provideLinks(open: (artifactId: string) => void) {
  return {
    provideTerminalLinks: ({ line }: vscode.TerminalLinkContext): ArtifactLink[] =>
      [...line.matchAll(ARTIFACT_ID)].map(({ index, 0: id }) => new ArtifactLink(index, id)),
    handleTerminalLink: ({ artifactId }: ArtifactLink): void => open(artifactId),
  };
}

/** The status-bar item: whether the active terminal is recorded, and a menu to change what is. */
class StatusItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem('spillway', vscode.StatusBarAlignment.Left, 0);
    this.#item.name = 'Spillway';
    this.#item.command = 'spillway.status';
    this.#item.show();
  }

  show({ active, all }: WindowTerminals): void {
    const recorded = all.filter(({ isRecorded }) => isRecorded).length;
    const before = all.length - recorded;
    if (recorded === 0) this.#item.text = '$(circle-outline) Not recorded';
    else if (active && !active.isRecorded)
      this.#item.text = '$(circle-outline) This terminal is not recorded';
    else this.#item.text = `$(record) ${recorded} recorded`;
    this.#item.tooltip = [
      `Spillway records ${recorded} of ${all.length} terminals`,
      ...(before > 0 ? [`${before} opened before, or without the Spillway profile: not recorded`] : []),
      'Select to change what is recorded',
    ].join('\n');
  }

  dispose(): void {
    this.#item.dispose();
  }
}

type Choice = { label: string; detail?: string; run: () => unknown };

/** `set` stores the choice; `openTerminal` opens the active terminal's output. */
async function showMenu(
  { active, all }: WindowTerminals,
  actions: {
    setUp: () => unknown;
    stop: () => unknown;
    openTerminal: () => unknown;
    lastFailed: () => unknown;
  },
): Promise<void> {
  const { recordTerminals, recordTasks, path } = readSettings();
  const choices: Choice[] = [];
  if (active?.record) {
    const detail = active.record.artifactId;
    choices.push({
      label: '$(open-preview) Open this terminal in Spillway',
      detail,
      run: actions.openTerminal,
    });
  }
  if (all.some(({ isRecorded }) => isRecorded))
    choices.push({ label: '$(error) Last failed command', run: actions.lastFailed });
  choices.push({ label: '$(settings-gear) Choose which terminals are recorded', run: actions.setUp });
  if (recordTerminals !== 'off' || recordTasks) {
    const detail = 'Terminals that are recorded now go on until they are closed';
    choices.push({ label: '$(circle-slash) Stop recording new terminals', detail, run: actions.stop });
  }
  const missing = findExecutable(path) === null ? ` (the command ${path} was not found)` : '';
  const title = `Spillway: ${sentence(recordTerminals, recordTasks)}${missing}`;
  const chosen = await vscode.window.showQuickPick(choices, { title });
  await chosen?.run();
}

function sentence(terminals: string, tasks: boolean): string {
  const what = { off: 'no terminals', profile: 'terminals of its profile', all: 'all new terminals' }[
    terminals
  ];
  return `records ${what ?? terminals}${tasks ? ' and tasks' : ''}`;
}
