/** The list with the edge that changes its width, or with the shade over the text that it covers. */

import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { type ActionGroup, isInField, isInPopup, keyName } from '../actions/action.ts';
import { actionFor } from '../actions/registry.ts';
import { LibraryPane } from '../library/LibraryPane.tsx';
import type { ListContext } from '../library/list-actions.ts';
import { Splitter } from '../ui/layout/Pane.tsx';
import { focusText } from '../ui/state/page.ts';
import { persisted, recordOf, useStore, wholeNumberIn } from '../ui/state/store.ts';
import styles from './App.module.css';

interface ListColumnProps {
  column: ListColumnState;
  list: ListContext;
}

export function ListColumn({ column, list }: ListColumnProps) {
  if (!column.isOpen) return null;
  return (
    <aside className={styles.library} aria-label="Library">
      <div
        ref={column.element}
        className={column.over ? styles.over : styles.beside}
        style={{ width: column.width }}
        tabIndex={column.over ? -1 : undefined}
      >
        <LibraryPane list={list} />
      </div>
      {column.over ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape and a button of the list do the same
        <div className={styles.scrim} role="presentation" onClick={column.toggle} />
      ) : (
        <Splitter
          label="Width of the list"
          pane="left"
          size={column.width}
          min={LIBRARY_MIN_PX}
          max={LIBRARY_MAX_PX}
          onResize={column.resize}
          onCollapse={column.toggle}
        />
      )}
    </aside>
  );
}

/** The list beside the text, or over it in a narrow window: its width, and how it is shown, focused, and left again. */
type ListColumnState = ReturnType<typeof useListColumn>;

export function useListColumn({ layout, over, change }: ReturnType<typeof useLayout>) {
  const element = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const hideButton = useRef<HTMLButtonElement>(null);
  const filter = useRef<HTMLInputElement>(null);
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
  const uncover = () => {
    if (over) change({ libraryOpen: false });
  };
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
    searchAcross: () => {
      flushSync(() => setAcross(true));
      focusIn(across);
      across.current?.select();
    },
  };
}

/** How wide the list is and whether it is shown, beside the text or over it. */
interface Layout {
  /** Pixels. */
  libraryWidth: number;
  libraryOpen: boolean;
}

const LIBRARY_MIN_PX = 200;
const LIBRARY_MAX_PX = 640;
/**
 * The list needs some 300 pixels, the text 420 (its toolbar and streams, a search's switches and count, some eighty
 * characters). In a narrower window the list covers the text, and is closed until called.
 */
const NARROW = '(max-width: 759.98px)';
/** Two texts side by side need 40 characters each. */
const NARROW_FOR_TWO = '(max-width: 1039.98px)';
const layouts = persisted('spillway.layout', restore);

export function useLayout(isSplit: boolean) {
  const query = matchMedia(isSplit ? NARROW_FOR_TWO : NARROW);
  const over = useSyncExternalStore(subscribe, () => query.matches);
  const kept = useStore(layouts);
  // In a narrow window the list opens only for a moment; don't remember that.
  const [called, setCalled] = useState(false);
  if (called && !over) setCalled(false);
  const change = ({ libraryOpen, ...others }: Partial<Layout>) => {
    if (over && libraryOpen !== undefined) setCalled(libraryOpen);
    const lasting = over || libraryOpen === undefined ? others : { ...others, libraryOpen };
    if (Object.keys(lasting).length > 0) layouts.set({ ...layouts.get(), ...lasting });
  };
  return { layout: over ? { ...kept, libraryOpen: called } : kept, over, change };
}

function subscribe(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}

/** Parses a stored layout; uses defaults for missing or invalid values. */
export function restore(text: string | null): Layout {
  const { libraryWidth, libraryOpen } = recordOf(text);
  return {
    libraryWidth: wholeNumberIn(libraryWidth, LIBRARY_MIN_PX, LIBRARY_MAX_PX) ?? 300,
    libraryOpen: typeof libraryOpen === 'boolean' ? libraryOpen : true,
  };
}

/**
 * While the list covers the text, Escape closes it, and so does any key for the text: a covered text could neither show
 * the key's effect nor take the focus.
 */
const FOR_THE_TEXT: readonly ActionGroup[] = ['Move', 'Select and copy', 'View', 'Search'];

/** @param close after it returns, the text can take the focus */
function useKeysOverText(over: boolean, close: () => void): void {
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

// Moves the focus on when the focused control is removed. Browsers would leave it on `<body>`: nothing looks focused,
// and Tab starts again at the top. Parts that know a better target focus it themselves, before this looks.

/**
 * The focus goes to the same control of the next or previous list item, else to the scrolling panel around it, else
 * where `elsewhere` puts it. That gets the part that remains around the removed one.
 */
function useKeptFocus(elsewhere: (around: Element) => void): void {
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
