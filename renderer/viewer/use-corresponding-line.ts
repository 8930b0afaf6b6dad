/** After a change of stream, goes to the line that arrived together with the line shown before. */
import { useCallback, useEffect, useRef } from 'react';
import type { OpenDocument } from './document/open-document.ts';
import type { Scroll } from './scrolling/scroll.ts';
import type { SetPending } from './scrolling/use-pending-line.ts';
import type { ViewState } from './view-state.ts';

interface CorrespondingOptions {
  document: OpenDocument | null;
  initial: ViewState;
  scroll: Scroll;
  setPending: SetPending;
}

/** Returns whether the reader is still at the corresponding line: then going back restores the earlier view. */
export function useCorrespondingLine({ document, initial, scroll, setPending }: CorrespondingOptions) {
  const { from } = initial;
  const corresponding = useRef(initial.current);
  const asked = useRef(false);

  useEffect(() => {
    if (!document || !from || asked.current) return;
    const request = new AbortController();
    document.lineLike(from, request.signal).then(
      (line) => {
        asked.current = true;
        const { row, px } = scroll.view.get().position;
        // Don't override a scroll the user made meanwhile.
        if (line === null || row > 0 || px > 0) return;
        corresponding.current = line;
        setPending((pending) => pending ?? { line, align: 'third', px: 0 });
      },
      () => {
        // The view shows the error instead of the text.
      },
    );
    return () => request.abort();
  }, [document, from, scroll, setPending]);

  return useCallback((current: number) => corresponding.current === current, []);
}
