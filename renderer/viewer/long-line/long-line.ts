/** Reads a long line by byte offset, in adjacent pieces, as long as its text exists. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Connection } from '../../../shared/api/api.ts';
import type { DocumentRef, Row } from '../../../shared/api/rows.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { ByteWindow } from '../../../shared/views.ts';
import { useConnection } from '../../connection/HostProvider.tsx';

export interface LongLinePages {
  document: DocumentRef;
  /** The generation of the row's text; another text has other bytes at its offset. */
  generation: number;
  line: number | null;
  row: Row;
  /** Where to begin, in bytes from the start of the stream; by default the start of the line. */
  offset?: number | undefined;
}

/** Errors: `changed` if the file was truncated or replaced, and read errors. */
export async function readPage(
  connection: Connection,
  { document, generation }: LongLinePages,
  range: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<ByteWindow> {
  const page = await settled(connection.request('read', { ...document, ...range }, { signal }));
  // Generations only rise: if it is unchanged after reading the page, it was unchanged before.
  const now = await connection.request('rows', { document, start_line: 1, count: 1 }, { signal });
  if (now.generation !== generation) throw replaced();
  if ('error' in page) throw page.error;
  return page.value;
}

export function replaced(): SpillwayError {
  return new SpillwayError(
    'changed',
    'The file was truncated or replaced, and this line may no longer exist',
    'close this, and see what the file holds now',
  );
}

/** Keeps an error for later, to report a replaced file as replaced, not as too short. */
function settled<T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

/** Adjacent pieces of a long line: added at one end, dropped at the other. */
interface LinePiece {
  /** Bytes from the start of the stream, `end` not included. */
  offset: number;
  end: number;
  text: string;
}

/** Bytes of a long line, from the start of the stream; `end` is not included. */
interface LineBytes {
  start: number;
  end: number;
}

/** Bytes to read. */
interface Span {
  offset: number;
  limit: number;
}

export const PIECE_BYTES = 16 * 1024;
/** Enough for two screens of text on either side of the view. */
export const MAX_PIECES = 5;

/** Returns the bytes to read before the first piece or after the last one; null at an end of the line. */
export function nextSpan(
  pieces: readonly LinePiece[],
  side: 'before' | 'after',
  line: LineBytes,
): Span | null {
  if (side === 'before') {
    const { offset: end } = pieces[0]!;
    const offset = Math.max(line.start, end - PIECE_BYTES);
    return end > offset ? { offset, limit: end - offset } : null;
  }
  const offset = pieces.at(-1)!.end;
  return offset < line.end ? { offset, limit: Math.min(PIECE_BYTES, line.end - offset) } : null;
}

/** Adds a piece, and drops the farthest ones beyond MAX_PIECES. */
export function withPiece(
  pieces: readonly LinePiece[],
  piece: LinePiece,
  side: 'before' | 'after',
): LinePiece[] {
  return side === 'before' ? [piece, ...pieces].slice(0, MAX_PIECES) : [...pieces, piece].slice(-MAX_PIECES);
}

/**
 * Returns the two pieces around a byte of the line. Their boundary is that byte, so that it can be found on the screen.
 */
export function spansAt(at: number, line: LineBytes): Span[] {
  const middle = Math.min(Math.max(at, line.start), line.end);
  const before = Math.max(line.start, middle - PIECE_BYTES);
  return [
    { offset: before, limit: middle - before },
    { offset: middle, limit: Math.min(PIECE_BYTES, line.end - middle) },
  ].filter(({ limit }) => limit > 0);
}

/** Returns the function that opens a clipped row in the reader for long lines. */
interface Rows {
  rows: { generation: number | null };
}

/** @param of has the rows of the document */
export function useReadOn(
  document: DocumentRef | undefined,
  of: Rows | null,
  open: (long: LongLinePages) => void,
): (line: number | null, row: Row, offset?: number) => void {
  return useCallback(
    (line, row, offset) => {
      const generation = of?.rows.generation ?? null;
      if (document && generation !== null) open({ document, generation, line, row, offset });
    },
    [document, of, open],
  );
}

// Reads the pieces of a long line around the view as it scrolls sideways.

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
