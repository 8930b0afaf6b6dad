/**
 * Fetches the lines that explain the shown command's failure: a failed command opens at its cause, and keys step
 * through the lines. Other artifacts are explained when a key asks.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { DocumentRef } from '../../shared/api/rows.ts';
import type { Artifact } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import type { FailureView } from '../../shared/views.ts';
import { useActions } from '../commands/registry.ts';
import { useConnection } from '../connection/HostProvider.tsx';
import { writeClipboard } from '../ui/state/clipboard.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { type FailureContext, failureActions } from './actions.ts';
import { agentText } from './agent-text.ts';
import { explainingLines, stepFrom } from './explaining-lines.ts';

interface FailureOptions {
  artifact: Artifact | null;
  document: DocumentRef;
  viewer: Viewer;
  /** It was opened at a line, or a search: that is where it stays. */
  hasPlace: boolean;
  say: (message: string) => void;
}

/** Returns what the actions work on; null for what did not fail. */
export function useFailure(options: FailureOptions): FailureContext | null {
  const { artifact, document, viewer, hasPlace, say } = options;
  const connection = useConnection();
  const { state } = viewer.opened.snapshot;
  // Where a range is shown, such as one command of a terminal, explain its lines alone.
  const { range } = viewer;
  const start = range?.start;
  const end = range?.end;
  const text = `${state?.generation ?? 0}:${state?.total_bytes ?? 0}:${start}-${end}`;
  const asked = useRef<{ document: DocumentRef; text: string; view: Promise<FailureView> } | null>(null);

  const [lines, setLines] = useState<readonly number[]>([]);

  const ask = useCallback((): Promise<FailureView> => {
    const known = asked.current;
    if (known && known.document === document && known.text === text) return known.view;
    if (!connection) return Promise.reject(new Error('The host does not answer'));
    const lines = start === undefined ? {} : { start_line: start, end_line: end };
    const view = connection
      .request('inspect_output', { ...document, ...lines, mode: 'failure' })
      .then((answer) => {
        if (answer.mode !== 'failure') throw new Error('another view came');
        return answer;
      });
    view.then(
      (answer) => setLines(explainingLines(answer)),
      () => {
        asked.current = null;
      },
    );
    asked.current = { document, text, view };
    return view;
  }, [connection, document, text, start, end]);

  useOpenAtCause({ artifact, document, viewer, hasPlace, ask });

  const context: FailureContext = {
    lines,
    step: (direction) => {
      ask().then(
        (view) => {
          const line = stepFrom(explainingLines(view), viewer.currentLine(), direction);
          if (line === null) return say('Nothing explains a failure here');
          viewer.showLine(line, 'unless visible');
          const part = view.parts.find((one) => one.start_line <= line && line <= one.end_line);
          if (part?.why) say(`Line ${line.toLocaleString('en')}: ${part.why}`);
        },
        (error) => say(toSpillwayError(error).message),
      );
    },
    copyForAgent: () => {
      if (!artifact) return;
      ask()
        .then((view) => writeClipboard(agentText(artifact, view)))
        .then(
          () => say('Copied for an agent'),
          (error) => say(toSpillwayError(error).message),
        );
    },
  };
  useActions(failureActions, context);
  return hasFailed(artifact) ? context : null;
}

function hasFailed(artifact: Artifact | null): boolean {
  return artifact?.status === 'failed' || artifact?.status === 'timed_out';
}

/** Once per artifact, and only while nobody has scrolled or chosen a line. */
function useOpenAtCause(options: Omit<FailureOptions, 'say'> & { ask: () => Promise<FailureView> }): void {
  const { artifact, viewer, hasPlace, ask } = options;
  const latest = useRef(viewer);
  latest.current = viewer;
  const asking = useRef(ask);
  asking.current = ask;
  // Remember whether a place was restored: later there is always one, where the user scrolled.
  const [hadPlace] = useState(hasPlace);
  const { state } = viewer.opened.snapshot;
  const isFor = state !== null && hasFailed(artifact) && artifact?.cause !== null;
  const id = isFor ? (artifact?.artifact_id ?? null) : null;
  useEffect(() => {
    if (id === null || hadPlace) return;
    let left = false;
    const before = latest.current.scroll.view.get().position;
    asking.current().then(
      ({ cause }) => {
        const { scroll, selection, pending, range, showLine } = latest.current;
        const now = scroll.view.get().position;
        const isMoved = now.row !== before.row || now.px !== before.px;
        if (left || cause === null || isMoved || selection || pending || range) return;
        showLine(cause.line_number, 'always');
      },
      () => {},
    );
    return () => {
      left = true;
    };
  }, [id, hadPlace]);
}
