/** Whether the end is followed, and what a move of the view does to that. */
import type { View } from '../scrolling/scroll.ts';
import { comparePlaces, lastPlace, type Place } from '../scrolling/scroll-window.ts';

export type Following = 'off' | 'on' | 'paused';

/**
 * Scrolling up pauses, scrolling down to the end goes on. A text that became shorter takes the view to its end too, which
 * is nobody's wish to go on.
 * @param reached the lowest place it was brought to: only a reader goes back above it
 */
export function afterMove(following: Following, before: View, now: View, reached: Place): Following {
  if (following === 'off') return 'off';
  const atEnd = comparePlaces(now.place, lastPlace(now.total, now.height)) >= 0;
  const moved = now.total < before.total ? 0 : comparePlaces(now.place, before.place);
  // A view that became higher shows more above the end, and is not yet brought to what came meanwhile.
  if (following === 'on' && now.height !== before.height) return 'on';
  // Also before it was brought anywhere: the rows of the end may be long in coming.
  const scrolledUp = moved < 0 || comparePlaces(now.place, reached) < 0;
  if (following === 'on') return scrolledUp && !atEnd ? 'paused' : 'on';
  return atEnd && moved > 0 ? 'on' : 'paused';
}
