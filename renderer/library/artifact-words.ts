/** By what an artifact is found, grouped and counted in the list; all else of it may change without moving it. */
import type { Artifact } from '../../shared/artifact.ts';
import { nameOf, pathOf, STATUS } from './artifact-look.ts';

/** Lower-case, a line for each text. */
export function wordsOf(artifact: Artifact): string {
  return [
    nameOf(artifact),
    artifact.label,
    artifact.artifact_id,
    artifact.session,
    artifact.source,
    artifact.cwd,
    pathOf(artifact),
    artifact.kind,
    STATUS[artifact.status].word,
  ]
    .filter(Boolean)
    .join('\n')
    .toLowerCase();
}

/** True when both are found by the same words and belong to the same group. */
export function sameWords(a: Artifact, b: Artifact): boolean {
  return (
    a.status === b.status &&
    a.session === b.session &&
    a.source === b.source &&
    a.label === b.label &&
    a.command === b.command &&
    a.cwd === b.cwd &&
    a.kind === b.kind &&
    pathOf(a) === pathOf(b) &&
    sameArgs(a.args, b.args)
  );
}

function sameArgs(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((arg, index) => arg === b[index]);
}
