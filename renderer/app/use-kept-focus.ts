/**
 * Moves the focus on when the focused control is removed. Browsers would leave it on `<body>`: nothing looks focused,
 * and Tab starts again at the top. Parts that know a better target focus it themselves, before this looks.
 */
import { useEffect, useRef } from 'react';
import { isInPopup } from '../actions/keys.ts';

/**
 * The focus goes to the same control of the next or previous list item, else to the scrolling panel around it, else
 * where `elsewhere` puts it. That gets the part that remains around the removed one.
 */
export function useKeptFocus(elsewhere: (around: Element) => void): void {
  const latest = useRef(elsewhere);
  latest.current = elsewhere;
  useEffect(() => {
    let focused: Element | null = null;
    const observer = new MutationObserver((records) => {
      if (document.activeElement !== document.body) return;
      for (const { target, removedNodes, previousSibling, nextSibling } of records) {
        const removed = [...removedNodes].find((each) => each.contains(focused));
        if (!(removed instanceof Element && focused && target instanceof Element && target.isConnected))
          continue;
        const next =
          counterpart(focused, removed, nextSibling) ??
          counterpart(focused, removed, previousSibling) ??
          target.closest<HTMLElement>('[tabindex="0"]');
        if (next) next.focus();
        else latest.current(target);
        return;
      }
    });
    const onFocus = ({ target }: FocusEvent) => {
      observer.disconnect();
      // Popups keep and return the focus themselves.
      focused = target instanceof Element && !isInPopup(target) ? target : null;
      // Observe only what is around the focus, not each row of the text.
      for (let around = focused?.parentElement; around; around = around.parentElement)
        observer.observe(around, { childList: true });
    };
    document.addEventListener('focusin', onFocus);
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
}

/** Returns the control of `sibling` at the position that `focused` had in the removed list item. */
function counterpart(focused: Element, removed: Element, sibling: Node | null): HTMLElement | null {
  if (!removed.matches('li') || !(sibling instanceof Element && sibling.matches('li'))) return null;
  const at = controls(removed).indexOf(focused as HTMLElement);
  return controls(sibling)[at] ?? null;
}

function controls(item: Element): HTMLElement[] {
  return [...item.querySelectorAll<HTMLElement>('button, input, textarea, a[href]')];
}
