/** Names the artifacts of a merged text, with their folders where names are equal. */
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { nameOf, pathOf } from '../artifact-look.ts';
import type { LibraryStore } from '../library-store.ts';

/** Returns null for a text of one artifact. */
export function useOriginNames(
  library: LibraryStore,
  ids: readonly string[] | null,
): readonly string[] | null {
  const get = useCallback(() => (ids ? namesOf(library, ids).join('\n') : null), [library, ids]);
  const names = useSyncExternalStore(library.subscribe, get);
  return useMemo(() => names?.split('\n') ?? null, [names]);
}

function namesOf(library: Pick<LibraryStore, 'get'>, ids: readonly string[]): string[] {
  const artifacts = ids.map((id) => library.get(id));
  const names = artifacts.map((artifact, index) => (artifact ? nameOf(artifact) : ids[index]!));
  return names.map((name, index) => {
    const path = artifacts[index] && pathOf(artifacts[index]);
    const isUnique = names.filter((other) => other === name).length === 1;
    return isUnique || !path ? name : path.split(/[\\/]/).slice(-2).join('/');
  });
}
