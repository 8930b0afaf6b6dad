/** Finds the sources that kinds know of by themselves, such as an agent's directory. */
import { realpath, stat } from 'node:fs/promises';
import type { SourceSetting } from '../../../shared/settings.ts';
import type { Rescue } from '../../../shared/sources.ts';
import { hasAnswered } from '../watching/answers.ts';
import { sourceKinds } from './kinds.ts';
import type { Source, SourceKind } from './source.ts';
import type { UserFolders } from './user-folders.ts';

export interface KindSetting {
  enabled: boolean;
  mcp: boolean;
  rescue: Rescue;
}

/** Unless a person decided otherwise, an agent's captures are listed, and kept from other agents. */
const DEFAULT: KindSetting = { enabled: true, mcp: false, rescue: 'off' };

/** Returns what the settings say about a kind, or null where they say nothing. */
export function settingOf(kind: SourceKind, settings: readonly SourceSetting[]): KindSetting | null {
  const found = settings.find((one) => typeof one === 'object' && 'kind' in one && one.kind === kind.name);
  return typeof found === 'object' && 'kind' in found ? found : null;
}

/** Resolves with the real paths of a kind's directories that exist. */
export async function foldersOf(kind: SourceKind, user: UserFolders): Promise<string[]> {
  const found = new Set<string>();
  for (const path of kind.locate?.(user) ?? []) {
    if (!hasAnswered(path)) continue;
    const real = await realpath(path).catch(() => null);
    const stats = real === null ? null : await stat(real).catch(() => null);
    if (real !== null && stats?.isDirectory()) found.add(real);
  }
  return [...found];
}

/**
 * Resolves with a source for each existing directory whose kind the settings leave on. Agents may read one over MCP
 * only when the settings allow it.
 */
export async function locatedSources(
  user: UserFolders,
  settings: readonly SourceSetting[],
  kinds: readonly SourceKind[] = sourceKinds,
): Promise<Source[]> {
  const sources: Source[] = [];
  for (const kind of kinds) {
    const { enabled, mcp } = settingOf(kind, settings) ?? DEFAULT;
    if (!enabled) continue;
    for (const path of await foldersOf(kind, user)) sources.push({ path, kind, readableOverMcp: mcp });
  }
  return sources;
}
