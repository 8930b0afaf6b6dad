/** Reads the pieces of a long line around the view as it scrolls sideways. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { type LinePiece, nextSpan, spansAt, withPiece } from './line-pieces.ts';
import { type LongLinePages, readPage } from './long-line.ts';

const STEP_PX = 60;

/** A byte to go to. A new object each time, so that going to the same byte again works. */
interface PieceTarget {
  offset: number;
}

/** @param isStopped true once the line has vanished: stops reading */
export function useLinePieces(long: LongLinePages, isStopped: boolean) {
  const connection = useConnection();
  const { row } = long;
  const line = useMemo(() => ({ start: row.offset, end: row.offset + row.bytes }), [row]);
  const scroller = useRef<HTMLPreElement>(null);
  const [pieces, setPieces] = useState<readonly LinePiece[]>([]);
  const [error, setError] = useState<SpillwayError | null>(null);
  const [target, setTarget] = useState<PieceTarget>({ offset: long.offset ?? row.offset });
  /** The approximate byte at the left of the view. */
  const [shown, setShown] = useState(target.offset);
  const request = useRef<AbortController | null>(null);
  /** A piece that keeps its position on the screen when others are added before it, and its distance from the left. */
  const held = useRef<{ offset: number; left: number } | null>(null);
  /** The byte to scroll to after the pieces are rendered. */
  const arriveAt = useRef<number | null>(null);
  const latest = useRef({ pieces, isStopped });
  latest.current = { pieces, isStopped };

  const read = useCallback(
    async (span: { offset: number; limit: number }, signal: AbortSignal): Promise<LinePiece> => {
      const page = await readPage(connection!, long, span, signal);
      return { offset: page.offset, end: page.offset + page.bytes_shown, text: page.content };
    },
    [connection, long],
  );

  const fail = useCallback((reason: unknown) => {
    const error = toSpillwayError(reason);
    if (error.code !== 'cancelled') setError(error);
  }, []);

  useEffect(() => {
    if (!connection || latest.current.isStopped) return;
    const mine = new AbortController();
    request.current?.abort();
    request.current = mine;
    Promise.all(spansAt(target.offset, line).map((span) => read(span, mine.signal)))
      .then((found) => {
        if (mine.signal.aborted) return;
        setError(null);
        // For a byte inside a character, the piece begins with the whole character.
        arriveAt.current = found[target.offset > line.start ? 1 : 0]?.offset ?? line.end;
        setPieces(found);
      }, fail)
      .finally(() => {
        if (request.current === mine) request.current = null;
      });
    return () => mine.abort();
  }, [connection, target, line, read, fail]);

  /** Reads more when the view is within a screen of an end of the pieces. */
  const readOn = useCallback(() => {
    const element = scroller.current;
    const { pieces, isStopped } = latest.current;
    if (!element || pieces.length === 0 || request.current || isStopped || !connection) return;
    const { scrollLeft, clientWidth, scrollWidth } = element;
    const isNearEnd = scrollLeft + 2 * clientWidth > scrollWidth;
    const side = isNearEnd && nextSpan(pieces, 'after', line) ? 'after' : 'before';
    if (side === 'before' && scrollLeft > clientWidth) return;
    const span = nextSpan(pieces, side, line);
    if (!span) return;
    const mine = new AbortController();
    request.current = mine;
    read(span, mine.signal)
      .then((piece) => {
        if (mine.signal.aborted) return;
        const anchor = side === 'before' ? pieces[0]! : pieces.at(-1)!;
        held.current = { offset: anchor.offset, left: leftOf(element, anchor.offset) ?? 0 };
        setError(null);
        setPieces(withPiece(pieces, piece, side));
      }, fail)
      .finally(() => {
        if (request.current === mine) request.current = null;
      });
  }, [connection, read, fail, line]);

  const report = useCallback(() => {
    const element = scroller.current;
    if (element) setShown(byteAtLeft(element, latest.current.pieces) ?? row.offset);
  }, [row.offset]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || pieces.length === 0) return;
    if (arriveAt.current !== null) {
      const left = leftOf(element, arriveAt.current);
      if (left === null) element.scrollLeft = element.scrollWidth;
      else element.scrollLeft += left - element.clientWidth / 3;
    } else if (held.current) {
      const left = leftOf(element, held.current.offset);
      if (left !== null) element.scrollLeft += left - held.current.left;
    }
    arriveAt.current = null;
    held.current = null;
    report();
    readOn();
  }, [pieces, report, readOn]);

  useEffect(() => {
    const element = scroller.current;
    const onScroll = () => {
      report();
      readOn();
    };
    element?.addEventListener('scroll', onScroll, { passive: true });
    return () => element?.removeEventListener('scroll', onScroll);
  }, [report, readOn]);

  const goTo = useCallback((offset: number) => setTarget({ offset }), []);
  const scrollBy = useCallback((direction: -1 | 1, by: 'page' | 'step') => {
    const element = scroller.current;
    const px = by === 'step' ? STEP_PX : (element?.clientWidth ?? 0) * 0.9;
    element?.scrollBy({ left: direction * px, behavior: 'instant' });
  }, []);
  return { scroller, pieces, shown, error, goTo, scrollBy };
}

/** Returns the pixels from the left of the view to the piece that begins at the byte; null if it is not rendered. */
function leftOf(scroller: HTMLElement, offset: number): number | null {
  const piece = scroller.querySelector(`[data-offset="${offset}"]`);
  if (!piece) return null;
  return piece.getBoundingClientRect().left - scroller.getBoundingClientRect().left;
}

/** Estimates the byte at the left of the view, as if all characters of a piece had equal widths and sizes. */
function byteAtLeft(scroller: HTMLElement, pieces: readonly LinePiece[]): number | null {
  const { left } = scroller.getBoundingClientRect();
  for (const { offset, end } of pieces) {
    const box = scroller.querySelector(`[data-offset="${offset}"]`)?.getBoundingClientRect();
    if (!box || box.right <= left) continue;
    return Math.round(offset + (end - offset) * Math.max(0, (left - box.left) / box.width));
  }
  return pieces.at(-1)?.end ?? null;
}
