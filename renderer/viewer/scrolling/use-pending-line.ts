/** Goes to a line as soon as it is known to exist: lines far down have to be counted first. */
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { OpenDocument } from '../document/open-document.ts';
import type { RowsView } from '../document/rows-view.ts';
import type { Scroll } from './scroll.ts';
import { clampPosition, endPosition, positionShowing, type ScrollPosition } from './scroll-window.ts';

/** A line to go to. */
export interface PendingLine {
  line: number | 'end';
  /** Where in the view. `third` and `middle` also select the line. */
  align: 'top' | 'third' | 'middle';
  /** Pixels of the line that are scrolled away; only with `top`. */
  px: number;
}

export type SetPending = (
  change: PendingLine | null | ((last: PendingLine | null) => PendingLine | null),
) => void;

interface PendingLineOptions {
  pending: PendingLine | null;
  setPending: SetPending;
  rows: RowsView;
  /** The host has told what the text is, and its lines have numbers. */
  ready: boolean;
  /** All lines are counted. */
  counted: boolean;
  scroll: Scroll;
  scroller: RefObject<HTMLElement | null>;
  onSelect: (line: number) => void;
}

export function usePendingLine(options: PendingLineOptions): void {
  const { pending, setPending, rows, ready, counted, scroll, scroller, onSelect } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows may include the line
  useLayoutEffect(() => {
    if (!pending || !ready) return;
    const start = rows.lineOf(0) ?? 1;
    const last = start + rows.count - 1;
    if (!counted && (pending.line === 'end' || pending.line > last)) return;
    setPending(null);
    if (rows.count === 0) return;
    const height = scroller.current?.clientHeight ?? scroll.view.get().height;
    const line = pending.line === 'end' ? last : Math.min(pending.line, last);
    scroll.moveTo(positionOfPending(pending, Math.max(0, line - start), rows.count, height), 'layout');
    if (pending.align !== 'top') onSelect(line);
  }, [pending, rows, counted, ready]);
}

function positionOfPending(pending: PendingLine, row: number, count: number, height: number): ScrollPosition {
  if (pending.line === 'end') return endPosition(count, height);
  if (pending.align === 'top') return clampPosition({ row, px: pending.px }, count, height);
  return positionShowing(row, count, height, pending.align === 'third' ? 1 / 3 : 1 / 2);
}

/** Keeps the scroll position when the same text is opened again: with another encoding, or after the host came back. */
export function useKeptPosition(
  document: OpenDocument | null,
  scroll: Scroll,
  /** The line of the first row; null while lines have no numbers. */
  firstLine: number | null,
  setPending: SetPending,
): void {
  const shown = useRef({ document, firstLine });
  const kept = useRef<PendingLine | null>(null);
  if (shown.current.document !== document) {
    const { document: last, firstLine: from } = shown.current;
    const { row, px } = scroll.view.get().position;
    if (last && from !== null && (row > 0 || px > 0)) kept.current = { line: row + from, align: 'top', px };
  }
  shown.current = { document, firstLine };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another opening is shown
  useLayoutEffect(() => {
    const position = kept.current;
    kept.current = null;
    if (position) setPending((pending) => pending ?? position);
  }, [document]);
}
