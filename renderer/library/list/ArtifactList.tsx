/** The list itself. Draws only the artifacts in view. */
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useSyncExternalStore,
} from 'react';
import { folderOf } from '../artifact-look.ts';
import { type Entry, faceOf, type LibraryStore } from '../library-store.ts';
import styles from './ArtifactList.module.css';
import { toggleChosen, useChosen } from './chosen.ts';
import { type HiddenMatch, hiddenMatch } from './filter-match.ts';
import { GroupHeading } from './GroupHeading.tsx';
import { ArtifactItem, type Distinction, lastFolders } from './item/ArtifactItem.tsx';
import type { ListLayout, ListRow } from './list-layout.ts';
import { useActiveRow } from './use-active-row.ts';
import { type OpenHow, useListKeys } from './use-list-keys.ts';
import { useListWindow } from './use-list-window.ts';

export interface ArtifactListHandle {
  focus(): void;
  /** Handles keys pressed in the filter above. */
  onKeyDown(event: KeyboardEvent): void;
}

interface ArtifactListProps {
  ref: Ref<ArtifactListHandle>;
  library: LibraryStore;
  layout: ListLayout;
  /** The filter and grouping of the layout; when it changes, the list starts at its top. */
  question: string;
  /** Names that several artifacts share, and the words of the filter. */
  shared: ReadonlySet<string>;
  words: readonly string[];
  shown: string | null;
  onOpen: (artifactId: string, how: OpenHow) => void;
  onFold: (groupKey: string, folded: boolean) => void;
  onType: () => void;
}

export function ArtifactList(props: ArtifactListProps) {
  const { ref, library, layout, question, shared, words, shown, onOpen, onFold, onType } = props;
  // The layout has only positions, and artifacts change more often.
  useSyncExternalStore(library.subscribe, library.state);
  const chosen = useChosen();
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const { active, setActive } = useActiveRow(library, layout);
  const { rows, reveal, revealListed } = useListWindow(scroller, layout, question, active);
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
    layout,
    active,
    setActive,
    shown,
    height: () => scroller.current?.clientHeight ?? 0,
    reveal,
    onOpen,
    onFold,
    onType,
  });
  const { onItem, onHeading } = useClicks(props, setActive, scroller);
  useImperativeHandle(ref, () => ({ focus: () => scroller.current?.focus(), onKeyDown }));

  const drawn: number[] = [];
  for (let row = rows.first; row <= rows.last; row += 1) drawn.push(row);
  const activeRow = layout.at(active);
  return (
    <div
      ref={scroller}
      className={styles.list}
      role="tree"
      tabIndex={0}
      aria-label="Captured output"
      aria-activedescendant={activeRow && idOf(id, activeRow)}
      onKeyDown={onKeyDown}
    >
      <div className={styles.sizer} style={{ height: layout.height }} role="presentation">
        {drawn.map((row) => {
          const found = layout.at(row);
          if (!found) return null;
          const { group, entry, index } = found;
          const place = { id: idOf(id, found), top: layout.topOf(row), active: row === active };
          return entry ? (
            <ArtifactItem
              key={place.id}
              {...place}
              artifact={entry.artifact}
              index={index}
              count={group.entries.length}
              nested={group.headed}
              shown={entry.id === shown}
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
              onToggle={onHeading}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Opens the item that is clicked, or folds the group of a heading. The functions never change. */
function useClicks(
  props: ArtifactListProps,
  setActive: ReturnType<typeof useActiveRow>['setActive'],
  scroller: RefObject<HTMLDivElement | null>,
) {
  const latest = useRef(props);
  latest.current = props;
  const onItem = useCallback((artifactId: string, how: OpenHow | 'choose') => {
    const { shown, onOpen } = latest.current;
    if (how === 'choose') toggleChosen(artifactId, shown);
    else onOpen(artifactId, how);
  }, []);
  const onHeading = useCallback(
    (group: string) => {
      const { layout, onFold } = latest.current;
      const found = layout.at(layout.rowOfHeading(group));
      setActive({ group });
      scroller.current?.focus({ preventScroll: true });
      if (found) onFold(group, !found.group.folded);
    },
    [setActive, scroller],
  );
  return { onItem, onHeading };
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
