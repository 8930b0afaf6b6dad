/**
 * While the list covers the text, Escape closes it, and so does any key for the text: a covered text could neither show
 * the key's effect nor take the focus.
 */
import { useEffect, useRef } from 'react';
import type { ActionGroup } from './action.ts';
import { isInPopup, keyName } from './keys.ts';
import { actionFor } from './registry.ts';

const FOR_THE_TEXT: readonly ActionGroup[] = ['Move', 'Select and copy', 'View', 'Search'];

/** @param close after it returns, the text can take the focus */
export function useKeysOverText(over: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!over) return;
    // Listen on the document: the list's handlers have run by then, the window's have not.
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
