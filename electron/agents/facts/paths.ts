/** Says which paths below a source's directory are captures, by a pattern for each name on the way. */

import { join } from 'node:path';
import type { SourceKind } from '../agent.ts';
import type { UserFolders } from './described.ts';

/** A name, or an expression for it. */
type NamePattern = string | RegExp;
/** Patterns for the folders on the way, and last the file. */
type PathPattern = readonly NamePattern[];

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Any folder that is not hidden. */
export const ANY = /^[^.]/;

export function onPaths(...patterns: readonly PathPattern[]): SourceKind['includes'] {
  return (folder, name, isDirectory) =>
    patterns.some(
      (pattern) =>
        isDirectory === folder.length + 1 < pattern.length &&
        folder.length < pattern.length &&
        fits(pattern[folder.length]!, name) &&
        folder.every((above, depth) => fits(pattern[depth]!, above)),
    );
}

function fits(pattern: NamePattern, name: string): boolean {
  return typeof pattern === 'string' ? pattern === name : pattern.test(name);
}

/** The data folders of editors made from VS Code, also those of their servers on a machine reached by SSH. */
export function editorFolders({ home, env, platform }: UserFolders): string[] {
  const base =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
        : (env.XDG_CONFIG_HOME ?? join(home, '.config'));
  return [
    ...['Code', 'Code - Insiders', 'VSCodium'].map((name) => join(base, name)),
    ...['.vscode-server', '.vscode-server-insiders'].map((name) => join(home, name, 'data')),
  ];
}
