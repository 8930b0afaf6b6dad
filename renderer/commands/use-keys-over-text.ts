/**
 * While the list lies over the text: Escape closes it, and so does whatever is meant for the text, which would else
 * happen unseen (or not at all, as what lies below can't take the focus).
 */
import { useEffect, useRef } from 'react';
import { commandOf, isInPopup, nameOf, SHORTCUTS } from './shortcuts.ts';

const OF_THE_TEXT: readonly string[] = ['Move', 'Look', 'Search'];

/** @param close by the time it returns, the text can take the focus */
export function useKeysOverText(over: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!over) return;
    // On the document: after the list has had the key, and before those who listen at the window.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isInPopup(event.target)) return;
      if (nameOf(event) === 'Esc') {
        event.preventDefault();
        event.stopPropagation();
        latest.current();
        return;
      }
      const command = commandOf(event);
      if (command && OF_THE_TEXT.includes(SHORTCUTS[command].group)) latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [over]);
}
