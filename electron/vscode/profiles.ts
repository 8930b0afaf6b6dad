/**
 * Puts shims into VS Code's own settings, on the user's consent, and takes them out again. The default profile is
 * named, so it falls back to VS Code's own where the extension is gone; tasks and agents need a path.
 */
import * as vscode from 'vscode';
import { type ExtensionSettings, findExecutable } from './settings.ts';
import { type ShimUse, shellName, writeShim } from './shims.ts';

export const PROFILE = 'Spillway';
const SYSTEM = process.platform === 'darwin' ? 'osx' : 'linux';
const DEFAULT_PROFILE = `terminal.integrated.defaultProfile.${SYSTEM}`;
const TASKS_PROFILE = `terminal.integrated.automationProfile.${SYSTEM}`;
const AGENTS_PROFILE = `chat.tools.terminal.terminalProfile.${SYSTEM}`;

/** Returns the shim's path for the user's shell; null for a shell that is not known. */
export function makeShim(storage: string, use: ShimUse, settings: ExtensionSettings): string | null {
  const shell = userShell();
  const spillway = findExecutable(settings.path);
  return shellName(shell) === null ? null : writeShim(storage, use, { shell, spillway });
}

/** Brings VS Code's settings in line with ours. Changes no value that is not ours, except where the user asked. */
export async function applyProfiles(storage: string, settings: ExtensionSettings): Promise<void> {
  const terminals = makeShim(storage, 'terminals', settings);
  const tasks = makeShim(storage, 'tasks', settings);
  const all = settings.recordTerminals === 'all' && terminals !== null;
  await set(DEFAULT_PROFILE, all ? PROFILE : null, (value) => value === PROFILE);
  await set(AGENTS_PROFILE, all ? profileOf(terminals) : null, isOurs(storage));
  await set(TASKS_PROFILE, settings.recordTasks && tasks ? profileOf(tasks) : null, isOurs(storage));
}

async function set(name: string, wanted: unknown, ours: (value: unknown) => boolean): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const inspected = configuration.inspect(name);
  // A version of VS Code without this setting.
  if (inspected?.defaultValue === undefined && inspected?.globalValue === undefined) return;
  const { globalValue } = inspected;
  const isSet = globalValue !== undefined && globalValue !== null;
  if (JSON.stringify(globalValue) === JSON.stringify(wanted ?? undefined)) return;
  // A profile of the user's own stays; recording is then up to the Spillway profile.
  if (isSet && !ours(globalValue) && (wanted === null || name !== DEFAULT_PROFILE)) return;
  if (wanted === null && !isSet) return;
  await configuration.update(name, wanted ?? undefined, vscode.ConfigurationTarget.Global);
}

function profileOf(path: string): object {
  return { path };
}

function isOurs(storage: string): (value: unknown) => boolean {
  return (value) => String((value as { path?: unknown }).path ?? '').startsWith(storage);
}

/** The shell of the user's own default profile where it says one, else $SHELL. */
function userShell(): string {
  const configuration = vscode.workspace.getConfiguration();
  const name = configuration.get<string>(DEFAULT_PROFILE);
  const profiles = configuration.get<Record<string, { path?: string | string[] } | null>>(
    `terminal.integrated.profiles.${SYSTEM}`,
  );
  const path = name && name !== PROFILE ? profiles?.[name]?.path : undefined;
  const first = Array.isArray(path) ? path[0] : path;
  const found = first ? findExecutable(first) : null;
  return found ?? process.env.SHELL ?? '/bin/sh';
}
