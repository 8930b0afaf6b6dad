/**
 * Executables named like shells that start the shell in a recorded terminal. VS Code injects its shell integration by
 * the file's name, so marks, links and the working directory work as before. Without Spillway or its runtime, the
 * shim becomes the plain shell.
 */
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A shim records terminals that the user opens, or those of tasks; also the name of its folder. */
export type ShimUse = 'terminals' | 'tasks';

/** Shells that VS Code and Spillway both know. */
const SHELLS = ['bash', 'zsh', 'fish', 'sh', 'dash', 'ksh', 'pwsh'];

/** Null for a shell whose arguments Spillway may not know how to pass. */
export function shellName(path: string): string | null {
  const name = basename(path);
  return SHELLS.includes(name) ? name : null;
}

export interface Shim {
  shell: string;
  /** The command; null: only the shell is started. */
  spillway: string | null;
  /** Session of terminals that VS Code opens before the extension runs; null: named after the folder. */
  session: string | null;
}

/** Writes the shim of a shell, and returns its path. */
export function writeShim(folder: string, use: ShimUse, { shell, ...recording }: Shim): string {
  const path = join(folder, use, basename(shell));
  mkdirSync(join(folder, use), { recursive: true, mode: 0o700 });
  // A shell that starts now reads the old one whole, or the new one.
  const next = `${path}.${process.pid}`;
  writeFileSync(next, shimText(use, { shell, ...recording }));
  chmodSync(next, 0o700);
  renameSync(next, path);
  return path;
}

function shimText(use: ShimUse, { shell, spillway, session }: Shim): string {
  const options = use === 'tasks' ? '--quiet --name task' : '--quiet';
  return `#!/bin/sh
# Made by Spillway for VS Code: starts the shell in a recorded terminal.
spillway=${quoted(spillway ?? '')}
shell=${quoted(shell)}
session=${session === null ? `"\${PWD##*/}"` : quoted(session)}
runs() {
  [ -x "$1" ] && IFS= read -r line <"$1" || return 1
  case $line in
    '#!/usr/bin/env '*) command -v "\${line#??/usr/bin/env }" >/dev/null ;;
    '#!'*) line=\${line#??}; [ -x "\${line%% *}" ] ;;
  esac
}
if [ -t 0 ] && [ -t 1 ] && runs "$spillway" 2>/dev/null; then
  : "\${SPILLWAY_SESSION:=$session}"
  export SPILLWAY_SESSION
  exec "$spillway" terminal ${options} -- "$shell" "$@"
fi
exec "$shell" "$@"
`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
