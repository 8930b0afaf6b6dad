/** Finds the directories that a kind of source knows of by itself, and what the settings say about them. */
import { realpath, stat } from 'node:fs/promises';
import type { SourceSetting } from '../../../shared/settings.ts';
import type { Rescue } from '../../../shared/sources.ts';
import { isKnownToAnswer } from '../watching/answers.ts';
import type { SourceKind } from './source.ts';
import type { UserFolders } from './user-folders.ts';

export interface KindSetting {
  enabled: boolean;
  mcp: boolean;
  rescue: Rescue;
}

/** Returns what the settings say about a kind, or null where they say nothing. */
export function settingOf(kind: SourceKind, settings: readonly SourceSetting[]): KindSetting | null {
  const found = settings.find((one) => typeof one === 'object' && 'kind' in one && one.kind === kind.name);
  return typeof found === 'object' && 'kind' in found ? found : null;
}

/** Resolves with the real paths of a kind's directories that exist. */
export async function foldersOf(kind: SourceKind, user: UserFolders): Promise<string[]> {
  const found = new Set<string>();
  for (const path of kind.locate?.(user) ?? []) {
    if (!isKnownToAnswer(path)) continue;
    const real = await realpath(path).catch(() => null);
    const stats = real === null ? null : await stat(real).catch(() => null);
    if (real !== null && stats?.isDirectory()) found.add(real);
  }
  return [...found];
}
