/** Bars above the text: what happened to the file and what to do, and the artifacts of a merged text. */

import { useMemo, useRef, useState } from 'react';
import type { DocumentState } from '../../shared/api/rows.ts';
import { type Artifact, mergedId } from '../../shared/artifact.ts';
import { escapeControls, escapeLine } from '../../shared/text/escape.ts';
import { shortenMiddle } from '../../shared/text/format.ts';
import { mayComeBack, nameOf, pathOf } from '../library/artifact-facts.ts';
import {
  type Entry,
  forgetMerged,
  type LibraryStore,
  useArtifact,
  useLibraryStructure,
} from '../library/library-store.ts';
import { Button, CopyButton, IconButton } from '../ui/controls/Button.tsx';
import { Bar } from '../ui/layout/Message.tsx';
import { useAfter } from '../ui/state/time.ts';
import { sentence } from '../ui/text/format.ts';
import { MiddleText } from '../ui/text/MiddleText.tsx';
import { partColour } from '../viewer/text/RowLine.tsx';
import type { Viewer } from '../viewer/use-viewer.ts';
import styles from './ArtifactView.module.css';
import { allowCommand } from './NoText.tsx';

interface DocumentBarsProps {
  viewer: Viewer;
  library: LibraryStore;
  /** Whether a message replaces the text. */
  blocked: boolean;
  onOpen: (artifactId: string) => void;
}

export function DocumentBars({ viewer, library, blocked, onOpen }: DocumentBarsProps) {
  const { document, snapshot } = viewer.opened;
  const { state, notice } = snapshot;
  const { renamed, unlisted } = useRenamedFile(library, state);
  const [dismissed, setDismissed] = useState<string | null>(null);
  // Report missing permission only once.
  const warnings =
    state?.condition === 'no_permission' ? '' : (state?.artifact.warnings ?? []).map(sentence).join(' ');
  const problem = document?.rows.problem ?? null;
  const gone = state && state.condition !== 'ok' && state.condition !== 'binary' ? state : null;
  return (
    <>
      {gone && !blocked && !renamed && <Gone state={gone} />}
      {renamed && (
        <Bar
          tone="warned"
          word="Renamed"
          actions={
            <Button onClick={() => onOpen(renamed.artifact_id)}>
              Show {shortenMiddle(nameOf(renamed), MAX_NAME_CHARS)}
            </Button>
          }
        >
          The file is no longer at its path, and looks to be <code>{escapeLine(pathOf(renamed) ?? '')}</code>{' '}
          now.
        </Bar>
      )}
      {unlisted && (
        <Bar tone="informed" word="Not listed">
          No longer in the list: it was cleaned up, or its folder is no longer watched. It stays readable here
          until you open something else.
        </Bar>
      )}
      {notice && !gone && (
        <Bar tone="warned" word="Changed" onDismiss={() => document?.dismissNotice()}>
          {notice.text}
        </Bar>
      )}
      {problem && !blocked && !gone && (
        <Bar
          tone="failed"
          word="Not read"
          actions={<Button onClick={() => document?.rows.retry()}>Try again</Button>}
        >
          {escapeControls(problem.message)}
        </Bar>
      )}
      {warnings !== '' && warnings !== dismissed && (
        <Bar tone="warned" word="Warning" onDismiss={() => setDismissed(warnings)}>
          {warnings}
        </Bar>
      )}
    </>
  );
}

function Gone({ state }: { state: DocumentState }) {
  const path = pathOf(state.artifact);
  const allow = state.condition === 'no_permission' ? allowCommand(path) : null;
  return (
    <Bar
      tone="failed"
      word={CONDITION_WORDS[state.condition] ?? 'Problem'}
      actions={allow && <CopyButton text={allow} label={`Copy: ${allow}`} />}
    >
      {state.problem
        ? sentence(`${state.problem.what}: ${state.problem.todo}`)
        : 'The file can’t be read any more. What was read before is still here.'}
      {state.condition === 'vanished' &&
        mayComeBack(state.artifact) &&
        ' A new file at its path will be shown here.'}
    </Bar>
  );
}

const CONDITION_WORDS: Record<string, string> = {
  vanished: 'Gone',
  no_permission: 'No permission',
  failed: 'Failed',
};

/** Most characters of a name on a button. */
const MAX_NAME_CHARS = 32;

/** Detects from the list whether the shown file was renamed or is no longer listed. */
interface FileMoves {
  renamed: Artifact | null;
  unlisted: boolean;
}

/** Milliseconds to wait, as a list lacks most of its artifacts while it is read again. */
const SURE_MS = 2000;

function useRenamedFile(library: LibraryStore, state: DocumentState | null): FileMoves {
  const structure = useLibraryStructure(library);
  const id = state?.artifact.artifact_id ?? '';
  const listed = useArtifact(library, id) !== null;
  /** The file as last listed, and since when. */
  const seen = useRef<{ id: string; since: number } | null>(null);
  if (listed) seen.current = { id, since: library.entry(id)?.since ?? 0 };
  const missing = !listed && seen.current?.id === id && state?.condition === 'ok';

  const goneAt = useRef<number | null>(null);
  const vanished = state?.condition === 'vanished';
  if (!vanished) goneAt.current = null;
  else goneAt.current ??= Date.now();
  const gone = vanished ? state.artifact : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the structure says that the sorted ones changed
  const renamed = useMemo(() => {
    if (!gone || goneAt.current === null) return null;
    const since = seen.current?.since ?? 0;
    return renamedTo(library.sorted, { artifact: gone, since, at: goneAt.current });
  }, [library, structure, gone]);
  return { renamed, unlisted: useAfter(SURE_MS, missing) };
}

/** Milliseconds by which the list may show the new name before the view reports that the old one vanished. */
const BEFORE_MS = 3000;

interface GoneArtifact {
  artifact: Artifact;
  /** Times at which it was listed and vanished, in milliseconds since 1970. */
  since: number;
  at: number;
}

/**
 * A renamed file keeps its birth time, does not shrink, and is listed under its new name when the old one vanishes.
 * Files born in the same millisecond were listed together.
 */
export function renamedTo(
  sorted: readonly Entry[],
  { artifact: gone, since: known, at }: GoneArtifact,
): Artifact | null {
  const size = gone.streams[0]?.total_bytes ?? 0;
  const found = sorted.filter(
    ({ artifact, since }) =>
      since >= at - BEFORE_MS &&
      since > known &&
      artifact.kind === 'file' &&
      artifact.started_at === gone.started_at &&
      artifact.artifact_id !== gone.artifact_id &&
      pathOf(artifact) !== pathOf(gone) &&
      (artifact.streams[0]?.total_bytes ?? 0) >= size,
  );
  // With several candidates, the new name is unknown.
  return found.length === 1 ? (found[0]?.artifact ?? null) : null;
}

/** Names the artifacts of a merged text in the colours of their lines, and links to them. */
interface MergedBarProps {
  ids: readonly string[];
  library: LibraryStore;
  onOpen: (artifactId: string) => void;
}

export function MergedBar({ ids, library, onOpen }: MergedBarProps) {
  const remove = () => {
    forgetMerged(mergedId(ids));
    onOpen(ids[0]!);
  };
  return (
    <div className={styles.bar}>
      <ul className={styles.parts} aria-label="Merged by time">
        {ids.map((id, index) => (
          <Part key={id} id={id} index={index} library={library} onOpen={onOpen} />
        ))}
      </ul>
      <IconButton icon="close" label="Remove the merged text from the list" onClick={remove} />
    </div>
  );
}

interface PartProps extends Omit<MergedBarProps, 'ids'> {
  id: string;
  index: number;
}

function Part({ id, index, library, onOpen }: PartProps) {
  const artifact = useArtifact(library, id);
  const name = artifact ? nameOf(artifact) : id;
  return (
    <li className={styles.part} style={partColour(index)}>
      <button type="button" className={styles.name} title={`Open ${name} alone`} onClick={() => onOpen(id)}>
        <MiddleText text={name} />
      </button>
    </li>
  );
}
