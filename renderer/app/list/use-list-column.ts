/** The list beside the text, or over it in a narrow window: shown, focused, and left again. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isInField } from '../../commands/keys.ts';
import { useKeysOverText } from '../../commands/use-keys-over-text.ts';
import { focusText } from '../focus-text.ts';
import { useKeptFocus } from '../use-kept-focus.ts';
import type { useLayout } from './use-layout.ts';

export type ListColumnState = ReturnType<typeof useListColumn>;

export function useListColumn({ layout, over, change }: ReturnType<typeof useLayout>) {
  const element = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const hideButton = useRef<HTMLButtonElement>(null);
  const filter = useRef<HTMLInputElement>(null);
  const path = useRef<HTMLInputElement>(null);
  const across = useRef<HTMLInputElement>(null);
  const [isAcross, setAcross] = useState(false);
  const isOver = over && layout.libraryOpen;

  const rows = () => element.current?.querySelector<HTMLElement>('[role="tree"]');
  useKeptFocus((around) => {
    if (element.current?.contains(around)) (rows() ?? filter.current)?.focus();
    else if (!focusText()) (rows() ?? filter.current ?? button.current)?.focus();
  });
  const toggle = () => {
    const { activeElement: active } = document;
    const isOnButton = active !== null && (active === button.current || active === hideButton.current);
    // Draw at once: a covered element can't take the focus.
    flushSync(() => change({ libraryOpen: !layout.libraryOpen }));
    if (!over) {
      // The other of the two buttons takes its place.
      if (isOnButton) (button.current ?? hideButton.current)?.focus();
      return;
    }
    if (!isOver) (rows() ?? filter.current)?.focus();
    else if (!focusText()) button.current?.focus();
  };
  useKeysOverText(isOver, toggle);
  // A window that became narrow closes the list, which may have the focus.
  useEffect(() => {
    if (over && document.activeElement === document.body) focusText();
  }, [over]);

  /** Closes the list if it covers the text. */
  const uncover = useCallback(() => {
    if (over) change({ libraryOpen: false });
  }, [over, change]);
  const focusIn = (field: typeof filter) => {
    flushSync(() => change({ libraryOpen: true }));
    field.current?.focus();
  };
  return {
    element,
    /** The button that shows the list. */
    button,
    /** The button in the list that hides it. */
    hideButton,
    filter,
    path,
    across,
    isAcross,
    setAcross,
    isOpen: layout.libraryOpen,
    over,
    /** Whether the list covers the text now. */
    isOver,
    width: layout.libraryWidth,
    resize: (libraryWidth: number) => change({ libraryWidth }),
    toggle,
    uncover,
    /** Returns false where the list covers the text: there Escape closes the list. */
    leave: (): boolean => {
      if (isOver) return false;
      if (!focusText()) rows()?.focus();
      // Without a text and a list, the window takes the keys.
      if (isInField(document.activeElement)) (document.activeElement as HTMLElement).blur();
      return true;
    },
    focusFilter: () => focusIn(filter),
    focusPath: () => focusIn(path),
    searchAcross: () => {
      flushSync(() => setAcross(true));
      focusIn(across);
      across.current?.select();
    },
  };
}
