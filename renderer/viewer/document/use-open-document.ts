/** Keeps the shown stream open. While the next one opens, the last one stays. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { noSubscription } from '../../ui/state/store.ts';
import { useSteady } from '../../ui/state/use-steady.ts';
import { type DocumentSnapshot, OpenDocument } from './open-document.ts';

export interface Opened {
  document: OpenDocument | null;
  snapshot: DocumentSnapshot;
}

const NOTHING: DocumentSnapshot = { state: null, error: null, notice: null, total: 0, caughtUp: false };
const nothing = () => NOTHING;

export function useOpenDocument(ref: DocumentRef): Opened {
  const connection = useConnection();
  const [document, setDocument] = useState<OpenDocument | null>(null);
  const { artifact_id, stream, encoding, as_text, merged } = ref;

  useEffect(() => {
    // Offline: keep the text until the host can be asked again.
    if (!connection) return;
    const next = new OpenDocument(connection, compact({ artifact_id, stream, encoding, as_text, merged }));
    const swap = () => {
      if (isTold(next)) unsubscribe();
      setDocument((shown) => (shown === null || isTold(next) ? next : shown));
    };
    const unsubscribe = next.subscribe(swap);
    swap();
    return () => {
      unsubscribe();
      next.close();
    };
  }, [connection, artifact_id, stream, encoding, as_text, merged]);

  const snapshot = useSyncExternalStore(document?.subscribe ?? noSubscription, document?.snapshot ?? nothing);
  return useSteady({ document, snapshot });
}

function isTold(document: OpenDocument): boolean {
  const { state, error } = document.snapshot();
  return state !== null || error !== null;
}

function compact(ref: {
  artifact_id: string;
  stream: DocumentRef['stream'];
  encoding: string | undefined;
  as_text: boolean | undefined;
  merged: string[] | undefined;
}): DocumentRef {
  return Object.fromEntries(Object.entries(ref).filter(([, value]) => value !== undefined)) as DocumentRef;
}
