/** Tables of what to do with a view, by its mode: the compiler names the table that a new mode is missing from. */
import type { ViewMode } from '../../../shared/view-mode.ts';
import type { LinesView, View } from '../../../shared/views.ts';

type ViewOf<Mode extends ViewMode> = Mode extends LinesView['mode']
  ? LinesView
  : Extract<View, { mode: Mode }>;

export type ByMode<More extends unknown[], Result> = {
  readonly [Mode in ViewMode]: (view: ViewOf<Mode>, ...more: More) => Result;
};

/** Calls the function for the view's mode. */
export function byMode<More extends unknown[], Result>(
  table: ByMode<More, Result>,
  view: View,
  ...more: More
): Result {
  const act = table[view.mode] as (view: View, ...more: More) => Result;
  return act(view, ...more);
}
