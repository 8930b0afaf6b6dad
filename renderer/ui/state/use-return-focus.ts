/** Moves the focus out of a part of the window that closes: left in it, the focus would be lost. */
import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Returns a ref for the part. If the part closes with the focus inside, `to` gets the focus. */
export function useReturnFocus<Part extends HTMLElement>(
  to: RefObject<HTMLElement | null>,
): RefObject<Part | null> {
  const part = useRef<Part>(null);
  // A layout effect ends before its elements are removed.
  useLayoutEffect(() => {
    const { current } = part;
    return () => {
      if (current?.contains(document.activeElement)) to.current?.focus({ preventScroll: true });
    };
  }, [to]);
  return part;
}
