/**
 * opencode, and Kilo CLI, which is made from it. Output over 50 KB or 2,000 lines is appended to a file as it comes;
 * the commands stand in a SQLite store.
 */
import { join } from 'node:path';
import { onPaths } from '../facts/paths.ts';
import type { SourceKind } from '../source.ts';
import type { UserFolders } from '../user-folders.ts';

export const opencode = madeFromOpencode('opencode', 'opencode');
export const kilo = madeFromOpencode('kilo', 'Kilo CLI');

function madeFromOpencode(name: string, title: string): SourceKind {
  return {
    name,
    title,
    agent: name,
    isDirectory: true,
    locate: (user) => [join(dataFolder(user), name, 'tool-output')],
    includes: onPaths([/^tool_[0-9A-Za-z]+$/]),
  };
}

function dataFolder({ home, env }: UserFolders): string {
  return env.XDG_DATA_HOME ?? join(home, '.local', 'share');
}
