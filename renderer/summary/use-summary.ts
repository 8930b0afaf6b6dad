/** A summary of one text: asked for when it is looked at, and again when the text was replaced or the reader asks. */
import { useCallback, useEffect, useState } from 'react';
import type { DocumentRef } from '../../shared/api/rows.ts';
import { type SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { SummaryView } from '../../shared/views.ts';
import { useConnection } from '../connection/HostProvider.tsx';

export interface SummaryState {
  view: SummaryView | null;
  error: SpillwayError | null;
  /** Milliseconds since 1970 when the present request began; null when none is under way. */
  since: number | null;
  cancelled: boolean;
  cancel: () => void;
  again: () => void;
}

const MAX_SHAPES = 20;

export function useSummary(document: DocumentRef, generation: number): SummaryState {
  const connection = useConnection();
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Omit<SummaryState, 'cancel' | 'again'>>(IDLE);
  const [request, setRequest] = useState<AbortController | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another generation or round is asked for anew
  useEffect(() => {
    if (!connection) return;
    const mine = new AbortController();
    setRequest(mine);
    setState((last) => ({ ...last, error: null, since: Date.now(), cancelled: false }));
    connection
      .request(
        'inspect_output',
        { ...document, mode: 'summary', max_shapes: MAX_SHAPES },
        { signal: mine.signal },
      )
      .then(
        (view) => setState({ ...IDLE, view: view.mode === 'summary' ? view : null }),
        (error) => {
          if (!mine.signal.aborted) setState({ ...IDLE, error: toSpillwayError(error) });
        },
      );
    return () => mine.abort();
  }, [connection, document, generation, round]);

  const cancel = useCallback(() => {
    request?.abort();
    setState((last) => ({ ...last, since: null, cancelled: true }));
  }, [request]);
  const again = useCallback(() => setRound((last) => last + 1), []);
  return { ...state, cancel, again };
}

const IDLE = { view: null, error: null, since: null, cancelled: false };
