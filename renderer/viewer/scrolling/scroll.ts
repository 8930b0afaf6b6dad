/**
 * Where the view is, for all who show it or move it. Scrolling happens in the component that draws the
 * rows, and only that is drawn anew for it: toolbar and panels need not be, sixty times a second.
 */
import { useSyncExternalStore } from 'react';
import { createStore } from '../../ui/state/store.ts';
import { type Heights, UNIFORM } from './heights.ts';
import { comparePositions, type ScrollPosition } from './scroll-window.ts';

export interface Viewport {
  position: ScrollPosition;
  /** Pixels. */
  height: number;
  /** Rows. */
  total: number;
  /** Another object when the rows are shown in another way. */
  heights: Heights;
}

/**
 * During a layout effect nothing can be flushed: then it is done with the next commit, before anything is painted.
 * `growth` is such an effect, too, ten times a second: it takes the height as it was last known, for asking the browser
 * would lay the page out once more.
 */
export type During = 'event' | 'layout' | 'growth';

export class Scroll {
  readonly view = createStore<Viewport>(
    { position: { row: 0, px: 0 }, height: 0, total: 0, heights: UNIFORM },
    isSameView,
  );
  #move: (position: ScrollPosition, during: During) => void = () => {};

  /** Goes there exactly, or as near as the text allows. */
  readonly moveTo = (position: ScrollPosition, during: During = 'event'): void =>
    this.#move(position, during);

  /** Called by what draws the rows. */
  connect(move: (position: ScrollPosition, during: During) => void): void {
    this.#move = move;
  }
}

function isSameView(a: Viewport, b: Viewport): boolean {
  return (
    comparePositions(a.position, b.position) === 0 &&
    a.height === b.height &&
    a.total === b.total &&
    a.heights === b.heights
  );
}

/** Renders again whenever the view moves. */
export function useViewport(scroll: Scroll): Viewport {
  return useSyncExternalStore(scroll.view.subscribe, scroll.view.get);
}
