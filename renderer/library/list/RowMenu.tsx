/** The context menu of a row of the list, and of several chosen ones. */

import { ContextMenu } from '@base-ui/react/context-menu';
import { type MouseEvent, type ReactElement, useState } from 'react';
import { isMergedId } from '../../../shared/artifact.ts';
import { plural } from '../../../shared/text/format.ts';
import menu from '../../ui/controls/Menu.module.css';
import { writeClipboard } from '../../ui/state/page.ts';
import { Icon, type IconName } from '../../ui/text/Icon.tsx';
import { pathOf } from '../artifact-facts.ts';
import { canDelete } from '../deletion.tsx';
import type { ListContext } from '../list-actions.ts';
import { clearChosen, toggleChosen, useChosen } from './list-settings.ts';

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
  run: () => unknown;
}

export function RowMenu({ list, active, children }: RowMenuProps) {
  const [id, setId] = useState<string | null>(null);
  const chosen = useChosen();
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
              itemsOf(list, id, chosen).map(({ name, icon, run }) => (
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

function itemsOf(list: ListContext, id: string, chosen: readonly string[]): RowItem[] {
  if (chosen.length > 1 && chosen.includes(id)) return itemsOfSeveral(list, chosen);
  const { shown, library } = list;
  const artifact = library.get(id);
  const open: RowItem[] = [
    { name: 'Open', icon: 'file', run: () => list.open(id, 'enter') },
    { name: 'Open in a new tab', icon: 'plus', run: () => list.open(id, 'tab') },
    { name: 'Open beside the text', icon: 'compare', run: () => list.beside(id) },
  ];
  if (!artifact || isMergedId(id)) return open;
  const { kind, pinned } = artifact;
  const path = pathOf(artifact);
  const isOther = shown !== null && shown !== id && !isMergedId(shown);
  return [
    ...open,
    ...when(isOther, 'Compare with the open one', 'compare', () => list.compare([shown!, id])),
    { name: 'Compare with…', icon: 'compare', run: () => list.compareWith(id) },
    { name: 'Choose, to merge or compare', icon: 'check', run: () => toggleChosen(id, shown) },
    ...when(kind !== 'file', pinned ? 'Unpin' : 'Pin', 'pin', () => list.pin([id], !pinned)),
    ...when(path !== null, 'Copy the path', 'copy', () => writeClipboard(path!)),
    ...when(path !== null, 'Show in the folder', 'open', () => list.showInFolder(id)),
    { name: 'Copy the id', icon: 'copy', run: () => writeClipboard(id) },
    ...when(canDelete(artifact), 'Delete', 'close', () => list.remove([id])),
  ];
}

function itemsOfSeveral(list: ListContext, ids: readonly string[]): RowItem[] {
  const artifacts = ids.flatMap((id) => list.library.get(id) ?? []);
  const captures = artifacts.filter(({ kind }) => kind !== 'file');
  const isPinned = captures.every(({ pinned }) => pinned);
  const pinning = captures.filter(({ pinned }) => pinned === isPinned).map(({ artifact_id }) => artifact_id);
  const gone = artifacts.filter(canDelete).map(({ artifact_id }) => artifact_id);
  const paths = artifacts.flatMap((artifact) => pathOf(artifact) ?? []);
  return [
    ...when(ids.length === 2, 'Compare the two', 'compare', () => list.compare(ids)),
    { name: `Merge ${ids.length} by time`, icon: 'merge', run: () => list.merge(ids) },
    ...when(pinning.length > 0, `${isPinned ? 'Unpin' : 'Pin'} ${pinning.length}`, 'pin', () =>
      list.pin(pinning, !isPinned),
    ),
    ...when(paths.length > 0, 'Copy the paths', 'copy', () => writeClipboard(paths.join('\n'))),
    { name: 'Copy the ids', icon: 'copy', run: () => writeClipboard(ids.join('\n')) },
    ...when(gone.length > 0, `Delete ${plural(gone.length, 'capture')}`, 'close', () => {
      clearChosen();
      list.remove(gone);
    }),
    { name: 'Choose none', icon: 'cross', run: clearChosen },
  ];
}

function when(applies: boolean, name: string, icon: IconName, run: () => void): RowItem[] {
  return applies ? [{ name, icon, run }] : [];
}
