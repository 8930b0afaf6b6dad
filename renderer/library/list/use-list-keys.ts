/** Handles keys in the list and in the filter above it. */
import type { KeyboardEvent } from 'react';
import { runByKey } from '../../commands/registry.ts';
import { toggleChosen } from './chosen.ts';
import { ITEM_HEIGHT_PX, type ListLayout, type ListRow } from './list-layout.ts';
import { type RowContext, rowActions } from './row-actions.ts';
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

  const enter = ({ group, entry }: ListRow): void => {
    if (entry) onOpen(entry.id, 'enter');
    else onFold(group.key, !group.folded);
  };

  return (event: KeyboardEvent): void => {
    const inField = event.target instanceof HTMLInputElement;
    const page = Math.max(1, Math.floor(height() / ITEM_HEIGHT_PX) - 1);
    const rows = {
      up: active - 1,
      down: active + 1,
      'page up': active - page,
      'page down': active + page,
      first: 0,
      last: layout.rows - 1,
    };
    const context: RowContext = {
      row: layout.at(active) ?? null,
      inField,
      move: (to) => activate(rows[to], inField),
      fold,
      enter,
      toggleChosen: (artifactId) => toggleChosen(artifactId, shown),
      openInTab: (artifactId) => onOpen(artifactId, 'tab'),
    };
    if (runByKey(rowActions, context, event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || inField || !isLetter(event.key)) return;
    // The field has the focus before the letter is inserted.
    onType();
    event.stopPropagation();
  };
}

/** False for `/` and `?`, which everywhere search the text and show the keys. */
function isLetter(key: string): boolean {
  return key.length === 1 && key !== ' ' && key !== '/' && key !== '?';
}
