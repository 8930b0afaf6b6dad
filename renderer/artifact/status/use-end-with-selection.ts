/** Removes a message when another line or text is selected, as it would read as a statement about that. */
import { useLayoutEffect, useRef } from 'react';
import type { Message } from '../../ui/state/time-hooks.ts';
import { isSameSelection, type Selection } from '../../viewer/selection/selection.ts';
import type { Viewer } from '../../viewer/use-viewer.ts';

/** A message with an undo stays, as what it reports can still be undone. */
export function useEndWithSelection(
  message: Message | null,
  clear: () => void,
  { selected, pending }: Pick<Viewer, 'selected' | 'pending'>,
): void {
  const about = useRef<About>({ message: null, selected, isGoing: false });
  useLayoutEffect(() => {
    const last = about.current;
    // A message may come before the view arrives at the line that it is about.
    if (last.message !== message || last.isGoing || pending)
      about.current = { message, selected, isGoing: pending !== null };
    else if (message && !message.undo && !isSameSelection(last.selected, selected)) clear();
  }, [message, selected, pending, clear]);
}

interface About {
  message: Message | null;
  selected: Selection | null;
  /** Whether the view was still going to a line. */
  isGoing: boolean;
}
