import { createStore, useStore } from '../../ui/state/store.ts';
import { comparePositions, type ScrollPosition, UNIFORM, type Viewport } from './positions.ts';

/**
 * A layout effect can't flush a render: the move is applied with the next commit, before the next paint. `growth` is
 * also such an effect, ten times a second: it uses the last known height, as asking the browser would lay out the page
 * again.
 */
export type During = 'event' | 'layout' | 'growth';

export class Scroll {
  readonly view = createStore<Viewport>(
    { position: { row: 0, px: 0 }, height: 0, total: 0, heights: UNIFORM },
    isSameView,
  );
  #move: (position: ScrollPosition, during: During) => void = () => {};

  /** Moves to the position, or as near as the text allows. */
  readonly moveTo = (position: ScrollPosition, during: During = 'event'): void =>
    this.#move(position, during);

  /** Called by the component that draws the rows. */
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
  return useStore(scroll.view);
}
