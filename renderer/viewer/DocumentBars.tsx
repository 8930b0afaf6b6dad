/** What happened to the file or to its readers, above the text and in the flow. */
import { useState } from 'react';
import { Bar } from '../ui/Bar.tsx';
import { Button } from '../ui/Button.tsx';
import { sentence } from '../ui/format.ts';
import type { Viewer } from './use-viewer.ts';

export function DocumentBars({ viewer, blocked }: { viewer: Viewer; blocked: boolean }) {
  const { document, snapshot } = viewer.opened;
  const { state, notice } = snapshot;
  const [dismissed, setDismissed] = useState<string | null>(null);
  const warnings = state?.artifact.warnings.join(' ') ?? '';
  const problem = document?.rows.problem ?? null;
  const gone = !blocked && state && state.condition !== 'ok' && state.condition !== 'binary' ? state : null;
  return (
    <>
      {gone && (
        <Bar tone="failed" word={CONDITION_WORDS[gone.condition] ?? 'Problem'}>
          {gone.problem
            ? sentence(`${gone.problem.what}: ${gone.problem.todo}`)
            : 'The file can’t be read any more. What was read before is still here.'}
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
          {problem.message}
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

export const CONDITION_WORDS: Record<string, string> = {
  vanished: 'Deleted',
  no_permission: 'No permission',
  failed: 'Failed',
};
