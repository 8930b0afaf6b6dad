/** Where the user's own folder is, and Spillway's home in it (CONTRACT 4). */

import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { UserFolders } from '../../agents/facts/described.ts';

/** `SPILLWAY_HOME`, else the platform's state directory. Absolute; need not exist. */
export function resolveHome(
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): string {
  if (env.SPILLWAY_HOME) return resolve(env.SPILLWAY_HOME);
  if (platform === 'darwin') return join(userFolder(), 'Library', 'Application Support', 'spillway');
  if (platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(userFolder(), 'AppData', 'Local'), 'spillway');
  const state = env.XDG_STATE_HOME;
  // The base directory specification has relative values ignored.
  return join(state && isAbsolute(state) ? state : join(userFolder(), '.local', 'state'), 'spillway');
}

/** The user's home folder, absolute: from HOME, else from the account, else the root, as in shells. */
export function userFolder(sources: readonly (() => string)[] = [homedir, accountFolder]): string {
  for (const source of sources) {
    const path = absolute(source);
    if (path !== null) return path;
  }
  return '/';
}

/** Returns a path as a person writes it, with a leading `~` read as shells do. */
export function fromUser(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(userFolder(), path.slice(1)) : path;
}

/** Where this user's agents keep their files. */
export function systemFolders(): UserFolders {
  return { home: userFolder(), temporary: tmpdir(), env: process.env, platform: process.platform };
}

/** Returns the shell of the user's account; null if there is none. */
export function loginShell(): string | null {
  return absolute(() => userInfo().shell ?? '');
}

function accountFolder(): string {
  return userInfo().homedir;
}

/** Returns null for a relative path, which would depend on the working directory, and if the system call fails. */
function absolute(source: () => string): string | null {
  try {
    const path = source();
    return isAbsolute(path) ? path : null;
  } catch {
    return null;
  }
}
