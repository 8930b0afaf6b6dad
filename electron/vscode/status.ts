/** The status-bar item: whether the active terminal is recorded, and a menu to change what is. */
import * as vscode from 'vscode';
import { findExecutable, readSettings } from './settings.ts';
import type { WindowTerminals } from './terminals.ts';

export class StatusItem implements vscode.Disposable {
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
export async function showMenu(
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
