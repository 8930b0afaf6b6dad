/** Finds the sources that kinds know of by themselves, such as an agent's directory. */
import { realpath, stat } from 'node:fs/promises';
import type { SourceSetting } from '../../../shared/settings.ts';
import { sourceKinds } from './kinds.ts';
import type { Source, SourceKind, UserFolders } from './source.ts';

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
    const setting = settings.find(
      (one) => typeof one === 'object' && 'kind' in one && one.kind === kind.name,
    );
    const { enabled, mcp } = typeof setting === 'object' ? setting : { enabled: true, mcp: false };
    if (!enabled) continue;
    for (const path of kind.locate?.(user) ?? []) {
      const real = await realpath(path).catch(() => null);
      const stats = real === null ? null : await stat(real).catch(() => null);
      if (real !== null && stats?.isDirectory()) sources.push({ path: real, kind, readableOverMcp: mcp });
    }
  }
  return sources;
}
