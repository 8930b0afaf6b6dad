/** Selecting lines with the mouse in the gutter: click, drag (scrolling on beyond the edge), shift and click. */
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import type { RowsView } from '../document/rows-view.ts';
import type { Scroll } from '../scrolling/scroll.ts';
import { movedRows, ROW_HEIGHT_PX } from '../scrolling/scroll-window.ts';
import { extendTo, type Selection, selectLine } from './selection.ts';

interface GutterOptions {
  rows: RowsView;
  scroll: Scroll;
  scroller: RefObject<HTMLDivElement | null>;
  selection: Selection | null;
  onSelect: (selection: Selection | null) => void;
}

export function useGutter(options: GutterOptions) {
  const latest = useRef(options);
  latest.current = options;
  const drag = useRef<{ selection: Selection; y: number; frame: number } | null>(null);

  const lineAtY = (y: number): number | null => {
    const { rows, scroll, scroller } = latest.current;
    const element = scroller.current;
    if (!element || rows.count === 0) return null;
    const { position } = scroll.view.get();
    const below = y - element.getBoundingClientRect().top + position.px;
    const index = position.row + Math.floor(below / ROW_HEIGHT_PX);
    return rows.lineOf(Math.min(Math.max(0, index), rows.count - 1));
  };

  const extend = () => {
    if (!drag.current) return;
    const line = lineAtY(drag.current.y);
    if (line === null || line === drag.current.selection.focus) return;
    drag.current.selection = extendTo(drag.current.selection, line);
    latest.current.onSelect(drag.current.selection);
  };

  /** While the pointer is beyond an edge the text moves on, the faster the farther. */
  const scrollOn = () => {
    const element = latest.current.scroller.current;
    if (!drag.current || !element) return;
    const box = element.getBoundingClientRect();
    const beyond = Math.min(0, drag.current.y - box.top) + Math.max(0, drag.current.y - box.bottom);
    if (beyond !== 0) {
      const { moveTo, view } = latest.current.scroll;
      moveTo(movedRows(view.get().position, Math.sign(beyond) * Math.ceil(Math.abs(beyond) / ROW_HEIGHT_PX)));
      extend();
    }
    drag.current.frame = requestAnimationFrame(scrollOn);
  };

  const stop = () => {
    if (drag.current) cancelAnimationFrame(drag.current.frame);
    drag.current = null;
  };
  useEffect(() => () => cancelAnimationFrame(drag.current?.frame ?? 0), []);

  return {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      const inGutter = event.target instanceof Element && event.target.closest('[data-gutter]');
      if (event.button !== 0 || !inGutter) return;
      const line = lineAtY(event.clientY);
      if (line === null) return;
      event.preventDefault();
      event.currentTarget.focus();
      event.currentTarget.setPointerCapture(event.pointerId);
      const { selection, onSelect } = options;
      const next = event.shiftKey ? extendTo(selection, line) : selectLine(line);
      window.getSelection()?.removeAllRanges();
      onSelect(next);
      drag.current = { selection: next, y: event.clientY, frame: requestAnimationFrame(scrollOn) };
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      if (!drag.current) return;
      drag.current.y = event.clientY;
      extend();
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}
