/** Where Spillway's home is (CONTRACT 4). */
import { isAbsolute, join, resolve } from 'node:path';
import { userFolder } from './user-folder.ts';

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
