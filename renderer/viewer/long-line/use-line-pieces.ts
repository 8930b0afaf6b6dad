/** Reads the pieces of a long line around the view as it scrolls sideways. */

import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Connection } from '../../../shared/api/api.ts';
import { type SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import {
  type LineBytes,
  type LinePiece,
  type LongLinePages,
  nextSpan,
  readPage,
  type Span,
  spansAt,
  withPiece,
} from './long-line.ts';

const STEP_PX = 60;

/** A byte to go to. A new object each time, so that going to the same byte again works. */
interface PieceTarget {
  offset: number;
}

/** Where a piece is put once it is rendered. */
interface Landing {
  offset: number;
  /** Pixels from the left of the view; null for a byte that was gone to, which has a third of the view before it. */
  left: number | null;
}

/** @param isStopped true once the line has vanished: stops reading */
export function useLinePieces(long: LongLinePages, isStopped: boolean) {
  const scroller = useRef<HTMLElement>(null);
  const { pieces, latest, error, target, goTo, readOn, landing } = useReading(long, isStopped, scroller);
  const { offset } = long.row;
  /** The approximate byte at the left of the view. */
  const [shown, setShown] = useState(target.offset);

  const look = useCallback(() => {
    const element = scroller.current;
    if (element) setShown(byteAtLeft(element, latest.current.pieces) ?? offset);
    readOn();
  }, [offset, readOn, latest]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || pieces.length === 0) return;
    if (landing.current) land(element, landing.current);
    landing.current = null;
    look();
  }, [pieces, look, landing]);

  useEffect(() => {
    const element = scroller.current;
    element?.addEventListener('scroll', look, { passive: true });
    return () => element?.removeEventListener('scroll', look);
  }, [look]);

  const scrollBy = useCallback((direction: -1 | 1, by: 'page' | 'step') => {
    const element = scroller.current;
    const px = by === 'step' ? STEP_PX : (element?.clientWidth ?? 0) * 0.9;
    element?.scrollBy({ left: direction * px, behavior: 'instant' });
  }, []);
  return { scroller, pieces, shown, error, goTo, scrollBy };
}

/** Reads the pieces around a byte, and more of them as the view nears their ends. */
function useReading(long: LongLinePages, isStopped: boolean, scroller: RefObject<HTMLElement | null>) {
  const connection = useConnection();
  const { row } = long;
  const line = useMemo(() => ({ start: row.offset, end: row.offset + row.bytes }), [row]);
  const [pieces, setPieces] = useState<readonly LinePiece[]>([]);
  const [error, setError] = useState<SpillwayError | null>(null);
  const [target, setTarget] = useState<PieceTarget>({ offset: long.offset ?? row.offset });
  const request = useRef<AbortController | null>(null);
  const landing = useRef<Landing | null>(null);
  const latest = useRef({ pieces, isStopped });
  latest.current = { pieces, isStopped };

  /** Replaces the request that is under way. */
  const read = useCallback(
    async (spans: readonly Span[], take: (found: readonly LinePiece[]) => void) => {
      const mine = new AbortController();
      request.current?.abort();
      request.current = mine;
      try {
        const found = await Promise.all(spans.map((span) => readPiece(connection!, long, span, mine.signal)));
        if (mine.signal.aborted) return;
        setError(null);
        take(found);
      } catch (reason) {
        const error = toSpillwayError(reason);
        if (error.code !== 'cancelled') setError(error);
      } finally {
        if (request.current === mine) request.current = null;
      }
    },
    [connection, long],
  );

  useEffect(() => {
    if (!connection || latest.current.isStopped) return;
    void read(spansAt(target.offset, line), (found) => {
      // For a byte inside a character, the piece begins with the whole character.
      landing.current = { offset: found[target.offset > line.start ? 1 : 0]?.offset ?? line.end, left: null };
      setPieces(found);
    });
    return () => request.current?.abort();
  }, [connection, target, line, read]);

  const readOn = useCallback(() => {
    const element = scroller.current;
    const { pieces, isStopped } = latest.current;
    if (!element || pieces.length === 0 || request.current || isStopped || !connection) return;
    const next = wantedSpan(element, pieces, line);
    if (!next) return;
    void read([next.span], ([piece]) => {
      const { offset } = next.side === 'before' ? pieces[0]! : pieces.at(-1)!;
      landing.current = { offset, left: leftOf(element, offset) ?? 0 };
      setPieces(withPiece(pieces, piece!, next.side));
    });
  }, [connection, read, line, scroller]);

  const goTo = useCallback((offset: number) => setTarget({ offset }), []);
  return { pieces, latest, error, target, goTo, readOn, landing };
}

async function readPiece(
  connection: Connection,
  long: LongLinePages,
  span: Span,
  signal: AbortSignal,
): Promise<LinePiece> {
  const page = await readPage(connection, long, span, signal);
  return { offset: page.offset, end: page.offset + page.bytes_shown, text: page.content };
}

/** Returns what to read next: where the view is within a screen of an end of the pieces. */
function wantedSpan(scroller: HTMLElement, pieces: readonly LinePiece[], line: LineBytes) {
  const { scrollLeft, clientWidth, scrollWidth } = scroller;
  const isNearEnd = scrollLeft + 2 * clientWidth > scrollWidth;
  const after = isNearEnd ? nextSpan(pieces, 'after', line) : null;
  if (after) return { side: 'after', span: after } as const;
  if (scrollLeft > clientWidth) return null;
  const span = nextSpan(pieces, 'before', line);
  return span && ({ side: 'before', span } as const);
}

function land(scroller: HTMLElement, { offset, left }: Landing): void {
  const now = leftOf(scroller, offset);
  if (now !== null) scroller.scrollLeft += now - (left ?? scroller.clientWidth / 3);
  else if (left === null) scroller.scrollLeft = scroller.scrollWidth;
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
