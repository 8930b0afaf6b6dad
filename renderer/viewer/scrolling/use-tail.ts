/**
 * Shows the end of a stream before its lines are counted: the last rows, without numbers, which the host reads
 * backwards from the end. They get their numbers, and the rest of the text around them, after the count.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Row } from '../../../shared/api/rows.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { OpenDocument } from '../document/open-document.ts';
import type { Scroll } from './scroll.ts';
import { comparePositions, endPosition } from './scroll-window.ts';

/** Twenty screens of rows to scroll through meanwhile. */
const TAIL_ROWS = 1024;

interface Tail {
  document: OpenDocument;
  generation: number;
  rows: readonly Row[];
}

interface TailOptions {
  document: OpenDocument | null;
  generation: number | null;
  totalBytes: number;
  counted: boolean;
  scroll: Scroll;
  /** Called once numbers are known: show the text with `line` (or its end) at the top of the view. */
  onCounted: (line: number | 'end', px: number) => void;
  onProblem: (message: string) => void;
}

export function useTail(options: TailOptions) {
  const { document, generation, totalBytes, counted } = options;
  const latest = useRef(options);
  latest.current = options;
  const [tail, setTail] = useState<Tail | null>(null);
  const request = useRef<AbortController | null>(null);
  const shown = tail && tail.document === document && tail.generation === generation ? tail : null;

  const open = useCallback(async () => {
    const { document } = latest.current;
    if (!document) return;
    request.current?.abort();
    const mine = new AbortController();
    request.current = mine;
    try {
      const result = await document.fetchTail(TAIL_ROWS, mine.signal);
      if (request.current !== mine) return;
      setTail({ document, generation: result.generation, rows: result.rows });
    } catch (error) {
      const { code, message } = toSpillwayError(error);
      if (code !== 'cancelled') latest.current.onProblem(message);
    }
  }, []);

  const close = useCallback(() => {
    request.current?.abort();
    request.current = null;
    setTail(null);
  }, []);

  const isOpen = shown !== null;
  // It grew while being counted, so the end moved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only growth asks again, not opening
  useEffect(() => {
    if (!isOpen || counted) return;
    const { position, height, total, heights } = latest.current.scroll.view.get();
    // Don't scroll a reader who scrolled up.
    if (comparePositions(position, endPosition(total, height, heights)) >= 0) void open();
  }, [totalBytes]);

  useLayoutEffect(() => {
    if (!shown) return;
    const { moveTo, view } = latest.current.scroll;
    const { height, heights } = view.get();
    moveTo(endPosition(shown.rows.length, height, heights), 'layout');
  }, [shown]);

  useEffect(() => {
    if (!shown || !counted) return;
    const { position, height, total, heights } = latest.current.scroll.view.get();
    const top = shown.rows[position.row];
    const mine = new AbortController();
    const finish = (line: number | 'end') => {
      if (mine.signal.aborted) return;
      setTail(null);
      latest.current.onCounted(line, line === 'end' ? 0 : position.px);
    };
    if (!top || comparePositions(position, endPosition(total, height, heights)) >= 0) return finish('end');
    shown.document.lineAt(top.offset, mine.signal).then(finish, () => finish('end'));
    return () => mine.abort();
  }, [shown, counted]);

  return { tail: shown, open, close };
}
