/** Handles keys in the list and in the filter above it. */
import type { KeyboardEvent } from 'react';
import { toggleChosen } from './chosen.ts';
import { ITEM_HEIGHT_PX, type ListLayout, type ListRow } from './list-layout.ts';
import { type RowName, rowNameOf } from './use-active-row.ts';

/** `enter`: with the keyboard; `tab`: in a new tab. */
export type OpenHow = 'click' | 'enter' | 'tab';

interface ListKeysOptions {
  layout: ListLayout;
  active: number;
  setActive: (name: RowName) => void;
  shown: string | null;
  /** Height of the visible part in pixels. */
  height: () => number;
  reveal: (row: number) => void;
  onOpen: (artifactId: string, how: OpenHow) => void;
  onFold: (groupKey: string, folded: boolean) => void;
  /** Called when a letter is pressed in the list, to move the focus to the filter. */
  onType: () => void;
}

export function useListKeys(options: ListKeysOptions) {
  const { layout, active, setActive, shown, height, reveal, onOpen, onFold, onType } = options;

  const activate = (row: number, inField: boolean) => {
    let next = Math.min(Math.max(0, row), layout.rows - 1);
    // From the filter, skip headings.
    if (inField && layout.at(next)?.entry === null) next += next < active && next > 0 ? -1 : 1;
    const found = layout.at(next);
    if (!found) return;
    setActive(rowNameOf(found));
    reveal(next);
  };

  const fold = (found: ListRow, folded: boolean): void => {
    if (!found.group.headed) return;
    const heading = layout.rowOfHeading(found.group.key);
    if (found.entry === null && found.group.folded !== folded) onFold(found.group.key, folded);
    else if (folded && found.entry) activate(heading, false);
    else if (!folded && found.entry === null) activate(heading + 1, false);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const found = layout.at(active);
    const isCtrl = (event.ctrlKey || event.metaKey) && !event.altKey;
    if (isCtrl && event.key === 'Enter' && found?.entry) {
      onOpen(found.entry.id, 'tab');
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.shiftKey && event.key === 'Enter' && found?.entry) {
      toggleChosen(found.entry.id, shown);
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target instanceof HTMLInputElement;
    const page = Math.max(1, Math.floor(height() / ITEM_HEIGHT_PX) - 1);
    const to = {
      ArrowUp: active - 1,
      ArrowDown: active + 1,
      PageUp: active - page,
      PageDown: active + page,
      // In the field these two move the caret.
      Home: inField ? undefined : 0,
      End: inField ? undefined : layout.rows - 1,
    }[event.key];
    const sideways = !inField && found && (event.key === 'ArrowLeft' || event.key === 'ArrowRight');
    if (to !== undefined) activate(to, inField);
    else if (sideways) fold(found, event.key === 'ArrowLeft');
    else if (event.key === 'Enter' && found) enter(found);
    else if (event.key === ' ' && !inField && found) enter(found);
    else if (!inField && isLetter(event.key)) {
      // The field has the focus before the letter is inserted.
      onType();
      event.stopPropagation();
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const enter = ({ group, entry }: ListRow): void => {
    if (entry) onOpen(entry.id, 'enter');
    else onFold(group.key, !group.folded);
  };

  return onKeyDown;
}

/** False for `/` and `?`, which everywhere search the text and show the keys. */
function isLetter(key: string): boolean {
  return key.length === 1 && key !== ' ' && key !== '/' && key !== '?';
}
