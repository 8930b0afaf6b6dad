/** Texts merged from several artifacts. They stay in the list, in order of creation, until removed. */

import { useCallback, useMemo, useSyncExternalStore } from 'react';
import * as z from 'zod';
import { type Artifact, ArtifactId } from '../../shared/artifact.ts';
import { MAX_MERGED, mergedArtifact, mergedId } from '../../shared/merged.ts';
import { jsonOf, persisted } from '../ui/state/store.ts';
import { linesOf, nameOf, pathOf, sizeOf } from './artifact-facts.ts';
import type { LibraryStore } from './library-store.ts';

const MAX_TEXTS = 50;

const MergedText = z.object({
  ids: z.array(ArtifactId).min(2).max(MAX_MERGED),
  /** When it was merged, ISO 8601. */
  at: z.string(),
});
type MergedText = z.infer<typeof MergedText>;

export const mergedTexts = persisted<readonly MergedText[]>(
  'spillway.merged',
  (text) => z.array(MergedText).safeParse(jsonOf(text)).data ?? [],
);

/** Adds a merged text to the list. */
export function rememberMerged(ids: readonly string[]): void {
  if (mergedMembers(mergedId(ids)) !== null) return;
  mergedTexts.set([...mergedTexts.get(), { ids: [...ids], at: new Date().toISOString() }].slice(-MAX_TEXTS));
}

export function forgetMerged(id: string): void {
  mergedTexts.set(mergedTexts.get().filter(({ ids }) => mergedId(ids) !== id));
}

/** Returns the artifacts of a merged text; null for another kind of id. */
export function mergedMembers(id: string): readonly string[] | null {
  return mergedTexts.get().find(({ ids }) => mergedId(ids) === id)?.ids ?? null;
}

/** Returns the merged texts for the list, without those of which an artifact no longer exists. */
export function mergedArtifacts(get: (id: string) => Artifact | null): Artifact[] {
  return mergedTexts.get().flatMap(({ ids, at }) => {
    const members = ids.flatMap((id) => get(id) ?? []);
    return members.length === ids.length ? [listed(mergedId(ids), members, at)] : [];
  });
}

function listed(id: string, members: readonly Artifact[], at: string): Artifact {
  const lines = members.map(linesOf);
  return mergedArtifact(id, members, {
    kind: 'file',
    label: members.map(nameOf).join(' + '),
    started_at: at,
    warnings: [],
    stream: {
      total_lines: lines.includes(null) ? null : lines.reduce<number>((sum, count) => sum + (count ?? 0), 0),
      total_bytes: members.reduce((sum, member) => sum + sizeOf(member), 0),
      content_type: 'unknown',
    },
  });
}

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
