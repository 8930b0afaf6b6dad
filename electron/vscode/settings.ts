/** Reads the extension's settings. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';

export type RecordTerminals = 'off' | 'profile' | 'all';

export interface ExtensionSettings {
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
