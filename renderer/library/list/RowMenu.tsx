/** The context menu of a row of the list: opening it, and comparing it. */

import { ContextMenu } from '@base-ui/react/context-menu';
import { type MouseEvent, type ReactElement, useState } from 'react';
import { isMergedId } from '../../../shared/merged.ts';
import menu from '../../ui/controls/Menu.module.css';
import { Icon, type IconName } from '../../ui/text/Icon.tsx';
import type { ListContext } from '../list-actions.ts';
import { toggleChosen } from './list-settings.ts';

interface RowMenuProps {
  list: ListContext;
  /** The row that keys act on, for the key that opens the menu. */
  active: string | null;
  /** The list. */
  children: ReactElement<Record<string, unknown>>;
}

interface RowItem {
  name: string;
  icon: IconName;
  run: () => void;
}

export function RowMenu({ list, active, children }: RowMenuProps) {
  const [id, setId] = useState<string | null>(null);
  const onContextMenu = (event: MouseEvent) => {
    const row = (event.target as Element).closest<HTMLElement>('[role="treeitem"]');
    setId(row ? (row.dataset.artifact ?? null) : active);
  };
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger render={children} onContextMenu={onContextMenu} />
      <ContextMenu.Portal>
        <ContextMenu.Positioner collisionPadding={8}>
          <ContextMenu.Popup className={menu.popup}>
            {id === null ? (
              <ContextMenu.Item className={menu.item} disabled>
                No actions on a group
              </ContextMenu.Item>
            ) : (
              itemsOf(list, id).map(({ name, icon, run }) => (
                <ContextMenu.Item key={name} className={menu.item} onClick={run}>
                  <Icon name={icon} />
                  {name}
                </ContextMenu.Item>
              ))
            )}
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

function itemsOf(list: ListContext, id: string): RowItem[] {
  const { shown } = list;
  const items: RowItem[] = [
    { name: 'Open', icon: 'file', run: () => list.open(id, 'enter') },
    { name: 'Open in a new tab', icon: 'plus', run: () => list.open(id, 'tab') },
  ];
  if (isMergedId(id)) return items;
  const isOther = shown !== null && shown !== id && !isMergedId(shown);
  return [
    ...items,
    ...(isOther
      ? [
          {
            name: 'Compare with the open one',
            icon: 'compare' as const,
            run: () => list.compare([shown, id]),
          },
        ]
      : []),
    { name: 'Compare with…', icon: 'compare', run: () => list.compareWith(id) },
    { name: 'Choose, to merge or compare', icon: 'check', run: () => toggleChosen(id, shown) },
  ];
}
