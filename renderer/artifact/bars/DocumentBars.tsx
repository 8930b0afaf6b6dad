/** Bars above the text that say what happened to the file and what to do. */

import { useState } from 'react';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { escapeControls, escapeLine } from '../../../shared/text/escape.ts';
import { shortenMiddle } from '../../../shared/text/format.ts';
import { mayComeBack, nameOf, pathOf } from '../../library/artifact-look.ts';
import type { LibraryStore } from '../../library/library-store.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Bar } from '../../ui/layout/Bar.tsx';
import { sentence } from '../../ui/words/format.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';
import { allowCommand } from './allow-command.ts';
import { useRenamedFile } from './use-renamed-file.ts';

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
      {notice && (
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
