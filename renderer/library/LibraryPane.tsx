/** The list at the left: the artifacts, a filter, and a button to open something else. */
import { type KeyboardEvent, useRef } from 'react';
import { formatCount, plural } from '../../shared/text/format.ts';
import { ActionIcon } from '../actions/ActionMenu.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { PaneHeader } from '../ui/layout/Pane.tsx';
import { AcrossPane } from './AcrossPane.tsx';
import styles from './LibraryPane.module.css';
import { ArtifactList, type ArtifactListHandle } from './list/ArtifactList.tsx';
import { ChosenBar, ListControls } from './list/ListControls.tsx';
import { ListEmpty } from './list/ListEmpty.tsx';
import { useFilteredList } from './list/list-settings.ts';
import { type ListContext, listActions } from './list-actions.ts';
import { OpenPath } from './OpenPath.tsx';
import { useLibraryState } from './use-library.ts';

export function LibraryPane({ list }: { list: ListContext }) {
  const { library, filter, isAcross } = list;
  const state = useLibraryState(library);
  const listing = useFilteredList(library, state.structure);
  const { found, isFiltered, clear } = listing;
  const rows = useRef<ArtifactListHandle>(null);

  const onFilterKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return rows.current?.onKeyDown(event);
    if (isFiltered) clear();
    else if (!list.leave()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onType = () => {
    const field = filter.current;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  };
  const isNothing = state.problem !== null || found.found === 0;

  return (
    <aside className={styles.pane} aria-label="Library">
      <PaneHeader>
        <h1 className={styles.title}>Spillway</h1>
        <span className={styles.count} role="status">
          {state.known ? countText(found.found, state.total) : ''}
        </span>
        <ActionIcon action={listActions.across} context={list} />
        <ActionIcon action={listActions.captures} context={list} label="Agents’ captures" />
        <ActionIcon ref={list.hideButton} action={listActions.show} context={list} label="Hide the list" />
      </PaneHeader>
      <div className={styles.filter}>
        <Field
          ref={filter}
          type="search"
          label="Filter the list"
          hideLabel
          placeholder={`Filter (${listActions.filter.keys[0]})`}
          aria-keyshortcuts={listActions.filter.keys[0]}
          value={listing.typed}
          onChange={(event) => listing.setTyped(event.target.value)}
          onKeyDown={onFilterKey}
        />
      </div>
      {state.total > 0 && <ListControls listing={listing} />}
      {isAcross && <AcrossPane list={list} listing={listing} />}
      {!isAcross && isNothing && <ListEmpty state={state} listing={listing} onTryAgain={list.tryAgain} />}
      {!isAcross && !isNothing && <ArtifactList ref={rows} list={list} listing={listing} onType={onType} />}
      <ChosenBar onMerge={list.merge} />
      <OpenPath list={list} />
    </aside>
  );
}

function countText(found: number, all: number): string {
  return found === all ? plural(all, 'item') : `${formatCount(found)} of ${plural(all, 'item')}`;
}
