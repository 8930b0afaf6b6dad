/** Whether the end is followed, and what a move of the view does to that. */
import type { View } from './scroll.ts';
import { comparePlaces, lastPlace, type Place } from './scroll-window.ts';

export type Following = 'off' | 'on' | 'paused';

/**
 * Scrolling up pauses, scrolling down to the end goes on. A text that became shorter takes the view to its end too, which
 * is nobody's wish to go on.
 * @param reached the lowest place it was brought to: only a reader goes back above it
 */
export function afterMove(following: Following, before: View, now: View, reached: Place): Following {
  if (following === 'off') return 'off';
  const atEnd = comparePlaces(now.place, lastPlace(now.total, now.height)) >= 0;
  if (following === 'on') return !atEnd && comparePlaces(now.place, reached) < 0 ? 'paused' : 'on';
  const scrolledDown = comparePlaces(now.place, before.place) > 0 && now.total >= before.total;
  return atEnd && scrolledDown ? 'on' : 'paused';
}
