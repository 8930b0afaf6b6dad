/** The list itself. Draws only the artifacts in view. */

import { ContextMenu } from '@base-ui/react/context-menu';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { isMergedId } from '../../../shared/artifact.ts';
import { plural } from '../../../shared/text/format.ts';
import { runByKey } from '../../actions/registry.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import menu from '../../ui/controls/Menu.module.css';
import { writeClipboard } from '../../ui/state/page.ts';
import { useSteady } from '../../ui/state/use-steady.ts';
import { Icon, type IconName } from '../../ui/text/Icon.tsx';
import { folderOf, pathOf } from '../artifact-facts.ts';
import { canDelete } from '../deletion.tsx';
import { type Entry, faceOf, type LibraryStore } from '../library-store.ts';
import { type ListContext, type OpenHow, type RowContext, rowActions } from '../list-actions.ts';
import styles from './ArtifactItem.module.css';
import { ArtifactItem, type Distinction, GroupHeading, lastFolders } from './ArtifactItem.tsx';
import { type HiddenMatch, hiddenMatch } from './filter-match.ts';
import { ITEM_HEIGHT_PX, type ListLayout, type ListRow } from './list-groups.ts';
import { clearChosen, type FilteredList, fold, toggleChosen, useChosen } from './list-settings.ts';
import { useListWindow } from './use-list-window.ts';

export interface ArtifactListHandle {
  focus(): void;
  /** Handles keys pressed in the filter above. */
  onKeyDown(event: KeyboardEvent): void;
}

interface ArtifactListProps {
  ref: Ref<ArtifactListHandle>;
  list: ListContext;
  listing: FilteredList;
  /** Called when a letter is pressed in the list, to move the focus to the filter. */
  onType: () => void;
}

const UNREAD_AFTER_MS = 300;
const UNREAD_AGAIN_MS = 2000;
/** More rows are never drawn. */
const MOST_ASKED = 500;

/** Returns which of the rows are outputs of agents that none read past the preview; asks again as agents go on. */
function useUnread(ids: readonly string[]): ReadonlySet<string> {
  const connection = useConnection();
  const [unread, setUnread] = useState('');
  const key = ids.join(' ');
  useEffect(() => {
    if (!connection || key === '') return;
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const ask = async () => {
      if (document.visibilityState === 'visible') {
        const params = { artifact_ids: key.split(' ').slice(0, MOST_ASKED) };
        const found = await connection.request('unread', params, { signal: ended.signal }).catch(() => null);
        if (ended.signal.aborted) return;
        setUnread(found?.artifact_ids.join(' ') ?? '');
      }
      timer = setTimeout(ask, UNREAD_AGAIN_MS);
    };
    // A list that is scrolled is asked for once it rests.
    timer = setTimeout(ask, UNREAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [connection, key]);
  return useMemo(() => new Set(unread.split(' ')), [unread]);
}

export function ArtifactList({ ref, list, listing, onType }: ArtifactListProps) {
  const { library, shown } = list;
  const {
    layout,
    words,
    question,
    found: { shared },
  } = listing;
  // The layout has only positions, and artifacts change more often.
  useSyncExternalStore(library.subscribe, library.state);
  const chosen = useChosen();
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const { active, setActive } = useActiveRow(library, layout);
  const { rows, reveal, revealListed } = useListWindow(scroller, layout, question, active);

  const shownIds = rows.flatMap(({ row }) => layout.at(row)?.entry?.id ?? []);
  const unread = useUnread(shownIds);

  // An artifact opened from elsewhere, such as the command line, becomes the active row.
  useEffect(() => {
    if (shown === null) return;
    setActive({ artifact: shown });
    revealListed((layout) => {
      const entry = library.entry(shown);
      return entry ? layout.rowOf(entry) : -1;
    });
  }, [shown, library, setActive, revealListed]);

  const onKeyDown = useListKeys({
    ...{ layout, active, setActive, shown, reveal, onType },
    height: () => scroller.current?.clientHeight ?? 0,
    onOpen: list.open,
    onRemove: (id) => list.remove([id]),
    onFold: fold,
  });
  // Rows are memoised.
  const { onItem, onHeading } = useSteady({
    onItem(artifactId: string, how: OpenHow | 'choose') {
      if (how === 'choose') toggleChosen(artifactId, shown);
      else list.open(artifactId, how);
    },
    onHeading(group: string) {
      const found = layout.at(layout.rowOfHeading(group));
      setActive({ group });
      scroller.current?.focus({ preventScroll: true });
      if (found) fold(group, !found.group.folded);
    },
  });
  useImperativeHandle(ref, () => ({ focus: () => scroller.current?.focus(), onKeyDown }));
  const activeRow = layout.at(active);
  const activeId = activeRow && idOf(id, activeRow);
  // The keys of the rows work in the filter, too, so it tells which row they act on.
  useEffect(() => {
    const field = list.filter.current;
    if (!field || activeId === undefined) return;
    field.setAttribute('aria-controls', id);
    field.setAttribute('aria-activedescendant', activeId);
    return () => {
      for (const name of ['aria-controls', 'aria-activedescendant']) field.removeAttribute(name);
    };
  }, [list.filter, id, activeId]);
  return (
    <RowMenu list={list} active={activeRow?.entry?.id ?? null}>
      <div
        ref={scroller}
        id={id}
        className={styles.list}
        role="tree"
        tabIndex={0}
        aria-label="Captured output"
        aria-activedescendant={activeId}
        onKeyDown={onKeyDown}
      >
        <div className={styles.sizer} style={{ height: layout.height }} role="presentation">
          {rows.map(({ row, start }) => {
            const found = layout.at(row);
            if (!found) return null;
            const { group, entry, index } = found;
            const place = { id: idOf(id, found), top: start, active: row === active };
            return entry ? (
              <ArtifactItem
                key={place.id}
                {...place}
                artifact={entry.artifact}
                index={index}
                count={group.entries.length}
                nested={group.headed}
                shown={entry.id === shown}
                unread={unread.has(entry.id)}
                chosen={chosen.includes(entry.id)}
                distinction={distinctionOf(entry, shared)}
                matched={matchOf(entry, shared, words, group.label)}
                onOpen={onItem}
              />
            ) : (
              <GroupHeading
                key={place.id}
                {...place}
                groupKey={group.key}
                label={group.label}
                agent={group.agent}
                session={group.session}
                count={group.entries.length}
                running={group.running}
                failed={group.failed}
                folded={group.folded}
                lastRun={group.isCommand ? group.entries[0]!.artifact : null}
                onToggle={onHeading}
              />
            );
          })}
        </div>
      </div>
    </RowMenu>
  );
}

/** Returns the text found by the filter that neither the row nor its heading shows. */
function matchOf(
  entry: Entry,
  shared: ReadonlySet<string>,
  words: readonly string[],
  heading: string,
): HiddenMatch | null {
  if (words.length === 0) return null;
  const folder = distinctionOf(entry, shared) === 'none' ? null : folderOf(entry.artifact);
  return hiddenMatch(entry.artifact, words, [heading, folder ? lastFolders(folder) : '']);
}

/** Rows of the same name show their folder; in the same folder, also their time. */
function distinctionOf(entry: Entry, shared: ReadonlySet<string>): Distinction {
  const { name, placed } = faceOf(entry);
  if (shared.has(placed)) return 'folder and time';
  return shared.has(name) ? 'folder' : 'none';
}

/** Returns the id of the row's element. Session names may contain blanks, which ids can't. */
function idOf(list: string, { entry, group }: ListRow): string {
  return entry ? `${list}-${entry.id}` : `${list}-group-${encodeURIComponent(group.key)}`;
}

/** Rows are identified by name, as their indexes change. */
type RowName = { artifact: string } | { group: string };

function useActiveRow(library: LibraryStore, layout: ListLayout) {
  const [name, setActive] = useState<RowName | null>(null);
  const last = useRef(0);
  const active = activeRow(layout, library, name, last.current);
  last.current = active;
  return { active, setActive };
}

/** Returns the row of that name; if it was removed, the row now in its place, or the first artifact. */
function activeRow(layout: ListLayout, library: LibraryStore, name: RowName | null, before: number): number {
  const entry = name && 'artifact' in name ? library.entry(name.artifact) : null;
  const heading = name && 'group' in name ? layout.rowOfHeading(name.group) : -1;
  const row = entry ? layout.rowOf(entry) : heading;
  if (row >= 0) return row;
  const near = name === null || entry ? 0 : Math.min(before, layout.rows - 1);
  return layout.at(near)?.entry === null && layout.at(near + 1)?.entry ? near + 1 : Math.max(0, near);
}

function rowNameOf({ entry, group }: ListRow): RowName {
  return entry ? { artifact: entry.id } : { group: group.key };
}

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
  onRemove: (artifactId: string) => void;
  /** Called when a letter is pressed in the list, to move the focus to the filter. */
  onType: () => void;
}

export function useListKeys(options: ListKeysOptions) {
  const { layout, active, setActive, shown, height, reveal, onOpen, onFold, onRemove, onType } = options;

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
      remove: onRemove,
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

/** The context menu of a row of the list, and of several chosen ones. */
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

function RowMenu({ list, active, children }: RowMenuProps) {
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
