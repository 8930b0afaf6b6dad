/**
 * While the list lies over the text, Escape closes it, and so does a key for the text: covered, the text could neither
 * show what the key did nor take the focus.
 */
import { useEffect, useRef } from 'react';
import type { ActionGroup } from './action.ts';
import { isInPopup, keyName } from './keys.ts';
import { actionFor } from './registry.ts';

const FOR_THE_TEXT: readonly ActionGroup[] = ['Move', 'Select and copy', 'View', 'Search'];

/** @param close the text can take the focus when it returns */
export function useKeysOverText(over: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!over) return;
    // Listen on the document: the list has had the key by then, the window's listeners have not.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isInPopup(event.target)) return;
      if (keyName(event) === 'Esc') {
        event.preventDefault();
        event.stopPropagation();
        latest.current();
        return;
      }
      const action = actionFor(event)?.action;
      if (action && action.where !== 'text' && FOR_THE_TEXT.includes(action.group)) latest.current();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [over]);
}
