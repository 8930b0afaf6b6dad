/**
 * The keys that move through the text and select lines of it. They work wherever the focus is, unless
 * it is on something that has its own use for them.
 */
import { useEffect, useRef } from 'react';
import { isWhollyVisible, lastPlace, movedRows, placeShowing, wholeRows } from './scrolling/scroll-window.ts';
import { extendTo } from './selection/selection.ts';
import type { Viewer } from './use-viewer.ts';

/** Pixels. */
const SIDEWAYS = 60;

export function useTextKeys(viewer: Viewer) {
  const { scroll, scroller, rows, selection } = viewer;

  const move = (by: number) => {
    viewer.stopWaiting();
    scroll.moveTo(movedRows(scroll.view.get().place, by));
  };

  /** Moves the end of the selection by `by` lines and keeps it in view. */
  const extend = (by: number) => {
    const first = rows.lineOf(0);
    if (first === null || rows.count === 0) return;
    const { place, height, total } = scroll.view.get();
    const from = selection?.focus ?? first + place.row + (place.px > 0 ? 1 : 0);
    const line = Math.min(Math.max(first, from + by), first + rows.count - 1);
    viewer.select(extendTo(selection ?? { anchor: from, focus: from }, line));
    const row = line - first;
    if (isWhollyVisible(row, place, height)) return;
    if (Math.abs(by) > wholeRows(height)) return scroll.moveTo(placeShowing(row, total, height));
    // Just into view: at the top going up, at the bottom going down.
    scroll.moveTo(by < 0 ? { row, px: 0 } : lastPlace(row + 1, height));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || isForSomethingElse(event)) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const page = Math.max(1, wholeRows(scroll.view.get().height) - 1);
    const act = ctrl ? withCtrl(event) : plain(event, page);
    if (!act) return;
    event.preventDefault();
    act();
  };

  const latest = useRef(onKeyDown);
  latest.current = onKeyDown;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  function plain(event: KeyboardEvent, page: number): (() => void) | undefined {
    const by = {
      ArrowUp: -1,
      ArrowDown: 1,
      PageUp: -page,
      PageDown: page,
      ' ': event.shiftKey ? -page : page,
    }[event.key];
    if (by !== undefined) return event.shiftKey && event.key !== ' ' ? () => extend(by) : () => move(by);
    if (event.key === 'Home') return event.shiftKey ? () => extend(-rows.count) : viewer.toStart;
    if (event.key === 'End') return event.shiftKey ? () => extend(rows.count) : viewer.toEnd;
    if (event.key === 'ArrowLeft') return () => sideways(-SIDEWAYS);
    if (event.key === 'ArrowRight') return () => sideways(SIDEWAYS);
    return undefined;
  }

  function withCtrl(event: KeyboardEvent): (() => void) | undefined {
    if (event.key === 'Home') return viewer.toStart;
    if (event.key === 'End') return viewer.toEnd;
    const first = rows.lineOf(0);
    if (event.key === 'a' && first !== null && rows.count > 0) {
      return () => viewer.select({ anchor: first, focus: first + rows.count - 1 });
    }
    // Text marked with the mouse is the browser's to copy.
    const marked = window.getSelection();
    if (event.key === 'c' && selection && (!marked || marked.isCollapsed))
      return () => viewer.copy.copy(selection);
    return undefined;
  }

  function sideways(by: number): void {
    scroller.current?.scrollBy({ left: by, behavior: 'instant' });
  }
}

const OTHERS =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"], aside';

function isForSomethingElse(event: KeyboardEvent): boolean {
  if (!(event.target instanceof Element)) return false;
  if (event.target.closest(OTHERS)) return true;
  return event.key === ' ' && event.target.closest('button') !== null;
}
