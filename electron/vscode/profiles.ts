/**
 * Puts shims into VS Code's own settings, on the user's consent, and takes them out again. A profile in the settings
 * needs no extension when a terminal opens, so terminals that VS Code opens first are recorded, too. Also provides the
 * profile that the extension itself contributes.
 */
import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { type ShimUse, shellName, writeShim } from './shims.ts';

/** In the settings; the profile that the extension itself contributes is called Spillway. */
const PROFILE = 'Spillway (all terminals)';
const SYSTEM = process.platform === 'darwin' ? 'osx' : 'linux';
const PROFILES = `terminal.integrated.profiles.${SYSTEM}`;
const DEFAULT_PROFILE = `terminal.integrated.defaultProfile.${SYSTEM}`;
const TASKS_PROFILE = `terminal.integrated.automationProfile.${SYSTEM}`;
const AGENTS_PROFILE = `chat.tools.terminal.terminalProfile.${SYSTEM}`;

type Profile = { path?: string | string[]; icon?: string } | null;

/** Returns the shim's path for the user's shell; null for a shell that is not known. */
export function makeShim(storage: string, use: ShimUse, settings: ExtensionSettings): string | null {
  const shell = userShell(storage);
  // VS Code may start a shim again after the profile was taken out: terminals where nothing was typed start anew.
  const records = use === 'tasks' ? settings.recordTasks : settings.recordTerminals !== 'off';
  const spillway = records ? findExecutable(settings.path) : null;
  return shellName(shell) === null
    ? null
    : writeShim(storage, use, { shell, spillway, session: settings.ownSession });
}

/** Brings VS Code's settings in line with ours. Only the default profile replaces a choice of the user's own. */
export async function applyProfiles(storage: string, settings: ExtensionSettings): Promise<void> {
  const terminals = makeShim(storage, 'terminals', settings);
  const tasks = makeShim(storage, 'tasks', settings);
  const shim = settings.recordTerminals === 'all' ? terminals : null;
  const { [PROFILE]: _ours, ...others } = given<Record<string, Profile>>(PROFILES) ?? {};
  const profiles = shim === null ? others : { ...others, [PROFILE]: { path: shim, icon: 'record' } };
  const before = given<string>(DEFAULT_PROFILE) ?? null;
  if (shim !== null) {
    if (before !== PROFILE) writeFileSync(beforeFile(storage), JSON.stringify(before));
    await update(PROFILES, profiles);
    await update(DEFAULT_PROFILE, PROFILE);
  } else {
    if (before === PROFILE) await update(DEFAULT_PROFILE, defaultBefore(storage));
    await update(PROFILES, Object.keys(others).length === 0 ? null : profiles);
  }
  const isFree = (name: string) => given<Profile>(name)?.path?.toString().startsWith(storage) ?? true;
  if (isFree(AGENTS_PROFILE)) await update(AGENTS_PROFILE, shim && { path: shim });
  if (isFree(TASKS_PROFILE))
    await update(TASKS_PROFILE, settings.recordTasks && tasks ? { path: tasks } : null);
}

/** The user's own value; undefined where there is none. */
function given<T>(name: string): T | undefined {
  return vscode.workspace.getConfiguration().inspect<T>(name)?.globalValue ?? undefined;
}

/** Null removes it. Does nothing where it is so already, or VS Code has no such setting. */
async function update(name: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const found = configuration.inspect(name);
  if (found?.defaultValue === undefined && found?.globalValue === undefined) return;
  if (JSON.stringify(found.globalValue ?? null) === JSON.stringify(value ?? null)) return;
  await configuration.update(name, value ?? undefined, vscode.ConfigurationTarget.Global);
}

/** The shell of the user's own default profile where it says one, else $SHELL. */
function userShell(storage: string): string {
  const configuration = vscode.workspace.getConfiguration();
  const set = configuration.get<string>(DEFAULT_PROFILE);
  const name = set === PROFILE ? defaultBefore(storage) : set;
  const path = name ? configuration.get<Record<string, Profile>>(PROFILES)?.[name]?.path : undefined;
  const first = Array.isArray(path) ? path[0] : path;
  const found = first ? findExecutable(first) : null;
  return found ?? process.env.SHELL ?? '/bin/sh';
}

/** The default profile before ours; null where the user had chosen none. */
function defaultBefore(storage: string): string | null {
  try {
    return JSON.parse(readFileSync(beforeFile(storage), 'utf8')) as string | null;
  } catch {
    return null;
  }
}

/** Uninstalling reads it, too. */
const beforeFile = (storage: string) => join(storage, 'default-profile.json');

/**
 * Provides the terminal profile "Spillway", and shows terminals that are opened with it. `shim` returns the executable
 * to start; null where nothing may be recorded: then the profile is VS Code's own.
 */
export function provideProfile(shim: () => string | null): vscode.Disposable[] {
  const opening: (string | undefined)[] = [];
  return [
    vscode.window.registerTerminalProfileProvider('spillway.terminal', {
      provideTerminalProfile: () => {
        const shellPath = shim() ?? undefined;
        opening.push(shellPath);
        return new vscode.TerminalProfile(shellPath === undefined ? {} : { shellPath });
      },
    }),
    // While the panel is closed, VS Code (1.139) waits for such a terminal to be drawn before it opens the panel.
    vscode.window.onDidOpenTerminal((terminal) => {
      const at = opening.indexOf(terminal.creationOptions.shellPath);
      if (at === -1) return;
      opening.splice(at, 1);
      terminal.show();
    }),
  ];
}

/** Reads the extension's settings. */
export type RecordTerminals = 'off' | 'profile' | 'all';

interface ExtensionSettings {
  /** As given: a path, or a name on the PATH. */
  path: string;
  recordTerminals: RecordTerminals;
  recordTasks: boolean;
  /** Never empty. */
  session: string;
  /** As the user set it for all windows; null when they did not. */
  ownSession: string | null;
}

export function readSettings(): ExtensionSettings {
  const given = vscode.workspace.getConfiguration('spillway');
  return {
    path: given.get<string>('path') || 'spillway',
    recordTerminals: given.get<RecordTerminals>('recordTerminals') ?? 'profile',
    recordTasks: given.get<boolean>('recordTasks') ?? false,
    ownSession: given.inspect<string>('session')?.globalValue || null,
    session: given.get<string>('session') || vscode.workspace.name || 'vscode',
  };
}

/** Returns the path of an executable, or null if there is none. */
export function findExecutable(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const paths = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  return paths.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
