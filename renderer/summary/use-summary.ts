/**
 * Fetches the summary of a text when its panel opens, and again when the text was replaced or the reader asks. Shows
 * the partial summary meanwhile.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { DocumentRef } from '../../shared/api/rows.ts';
import { type SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { SummaryView } from '../../shared/views.ts';
import { useConnection } from '../connection/HostProvider.tsx';

interface ShownSummary {
  view: SummaryView | null;
  error: SpillwayError | null;
  /** Start of the current request in milliseconds since 1970; null without one. */
  since: number | null;
  /** Bytes covered by the summary so far. */
  readBytes: number;
  cancelled: boolean;
  cancel: () => void;
  again: () => void;
}

const MAX_SHAPES = 20;

export function useSummary(document: DocumentRef, generation: number): ShownSummary {
  const connection = useConnection();
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Omit<ShownSummary, 'cancel' | 'again'>>(IDLE);
  const stop = useRef(() => {});

  // biome-ignore lint/correctness/useExhaustiveDependencies: another generation or round is asked for anew
  useEffect(() => {
    if (!connection) return;
    setState((last) => ({ ...last, error: null, since: Date.now(), cancelled: false }));
    const unsubscribe = connection.subscribe(
      'summary',
      { document, max_shapes: MAX_SHAPES },
      ({ view, read_bytes, done }) =>
        setState((last) => ({ ...IDLE, view, readBytes: read_bytes, since: done ? null : last.since })),
      (error) => setState({ ...IDLE, error: toSpillwayError(error) }),
    );
    stop.current = unsubscribe;
    return unsubscribe;
  }, [connection, document, generation, round]);

  const cancel = useCallback(() => {
    stop.current();
    setState({ ...IDLE, cancelled: true });
  }, []);
  const again = useCallback(() => setRound((last) => last + 1), []);
  return { ...state, cancel, again };
}

const IDLE = { view: null, error: null, since: null, readBytes: 0, cancelled: false };
