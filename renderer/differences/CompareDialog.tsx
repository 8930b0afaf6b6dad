/** Chooses the output that another one is compared with: runs of the same command come first. */

import { useState } from 'react';
import { type Artifact, isMergedId } from '../../shared/artifact.ts';
import { isFailure } from '../../shared/recording.ts';
import { ChoiceDialog } from '../actions/Palette.tsx';
import type { PaletteItem } from '../actions/palette-items.ts';
import { isPlainFile, outputItem, sortTimeOf } from '../library/artifact-facts.ts';
import type { LibraryStore } from '../library/library-store.ts';

interface CompareDialogProps {
  library: LibraryStore;
  /** The output to compare; null while the dialog is closed. */
  of: string | null;
  onClose: () => void;
  onChoose: (of: string, other: string) => void;
  /** Compares a file with what the host finds for it. */
  onOwn: (of: string) => void;
}

export function useCompareDialog() {
  const [of, setOf] = useState<string | null>(null);
  return { of, show: (artifactId: string) => setOf(artifactId), hide: () => setOf(null) };
}

export function CompareDialog({ library, of, onClose, onChoose, onOwn }: CompareDialogProps) {
  const itemsOf = (id: string) => {
    const others = otherOutputs(library, id, (other) => onChoose(id, other));
    const artifact = library.get(id);
    return artifact && isPlainFile(artifact) ? [ownItem(() => onOwn(id)), ...others] : others;
  };
  return (
    <ChoiceDialog
      open={of !== null}
      onClose={onClose}
      name="Compare with"
      label="Output to compare with"
      placeholder="Type a command, a folder or an outcome"
      itemsFor={() => () => (of === null ? [] : itemsOf(of))}
    />
  );
}

/** Most outputs that are offered. */
const MAX_OUTPUTS = 20_000;

function ownItem(run: () => void): PaletteItem {
  return {
    ...{ id: 'own', text: 'Its last rotation', kind: 'File', icon: 'compare', run },
    detail: 'or the last runs of its CI job that passed',
  };
}

function otherOutputs(library: LibraryStore, of: string, choose: (id: string) => void): PaletteItem[] {
  const artifact = library.get(of);
  const others = library.sorted
    .slice(0, MAX_OUTPUTS)
    .map((entry) => entry.artifact)
    .filter(({ artifact_id: id }) => id !== of && !isMergedId(id));
  const ordered = artifact ? likelyFirst(artifact, others) : others;
  const now = Date.now();
  return ordered.map((other) => outputItem(other, now, () => choose(other.artifact_id)));
}

/** Runs of the same command that passed, then its other runs, then the rest; each in the order of the list. */
export function likelyFirst(artifact: Artifact, others: readonly Artifact[]): Artifact[] {
  const line = commandLine(artifact);
  const rank = (other: Artifact) => {
    if (line === null || commandLine(other) !== line) return 2;
    return other.status === 'succeeded' ? 0 : 1;
  };
  return [...others].sort((a, b) => rank(a) - rank(b));
}

function commandLine({ command, args }: Artifact): string | null {
  return command === null ? null : JSON.stringify([command, ...(args ?? [])]);
}

/** The output that is looked at, and the one it is compared with: what failed with what did not, else the later one. */
export function inOrderToCompare(one: Artifact, other: Artifact): [subject: Artifact, baseline: Artifact] {
  const [first, second] = [isFailure(one.status), isFailure(other.status)];
  if (first !== second) return first ? [one, other] : [other, one];
  return (sortTimeOf(one) ?? '') >= (sortTimeOf(other) ?? '') ? [one, other] : [other, one];
}
