/** Finds the directories that a kind of source knows of by itself, and what the settings say about them. */

import type { SourceSetting } from '../../../shared/settings.ts';
import type { Rescue } from '../../../shared/sources.ts';
import type { SourceKind } from '../../agents/captures.ts';
import type { UserFolders } from '../../agents/facts/described.ts';
import type { Disk } from '../../workers/disk.ts';

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
export async function foldersOf(kind: SourceKind, user: UserFolders, disk: Disk): Promise<string[]> {
  const found = await disk.foldersAt(kind.locate?.(user) ?? []);
  return [...new Set(found.filter((path) => path !== null))];
}
