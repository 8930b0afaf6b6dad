/** The list at the left: the artifacts, a filter, and a button to open something else. */

import { type KeyboardEvent, useRef } from 'react';
import { formatCount, plural } from '../../shared/text/format.ts';
import { ActionIcon } from '../actions/ActionMenu.tsx';
import { Button, Command } from '../ui/controls/Button.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { EmptyState } from '../ui/layout/Message.tsx';
import { PaneHeader } from '../ui/layout/Pane.tsx';
import { useAfter } from '../ui/state/time.ts';
import { AcrossPane } from './AcrossPane.tsx';
import styles from './LibraryPane.module.css';
import { type LibraryState, useLibraryState } from './library-store.ts';
import { ArtifactList, type ArtifactListHandle } from './list/ArtifactList.tsx';
import { ChosenBar, ListControls } from './list/ListControls.tsx';
import type { Only } from './list/list-groups.ts';
import { type FilteredList, useFilteredList } from './list/list-settings.ts';
import { type ListContext, listActions } from './list-actions.ts';
import { OpenPath } from './OpenPath.tsx';

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
      <ChosenBar onMerge={list.merge} onCompare={list.compare} />
      <OpenPath list={list} />
    </aside>
  );
}

function countText(found: number, all: number): string {
  return found === all ? plural(all, 'item') : `${formatCount(found)} of ${plural(all, 'item')}`;
}

interface ListEmptyProps {
  state: LibraryState;
  listing: FilteredList;
  onTryAgain: () => void;
}

/** Milliseconds of waiting before saying so. */
const LONG_MS = 1000;

/** The message shown instead of an empty list: why it is empty, and what to do. */
function ListEmpty({ state, listing, onTryAgain }: ListEmptyProps) {
  const { query, only, clear } = listing;
  const slow = useAfter(LONG_MS, !state.known);
  if (state.problem !== null) {
    return (
      <EmptyState
        icon="warn"
        title="The list can’t be shown"
        alert
        actions={<Button onClick={onTryAgain}>Try again</Button>}
      >
        {state.problem}
      </EmptyState>
    );
  }
  // Keep the space, so that nothing below moves when the list arrives.
  if (!state.known)
    return slow ? <EmptyState icon="list" title="Waiting for the list…" /> : <div className={styles.wait} />;
  if (state.total > 0) {
    return (
      <EmptyState
        icon="search"
        title={nothingFound(query.trim(), only)}
        actions={
          <Button shortcut="Esc" onClick={clear}>
            Clear the filter
          </Button>
        }
      >
        {query.trim() !== '' && <p>The filter looks at names, paths, sessions, statuses, types and ids.</p>}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="file" title="Nothing captured yet">
      <p>Record a command:</p>
      <Command text="spillway run -- COMMAND" />
      <p>or open a file or folder below, or from a terminal:</p>
      <Command text="npm start -- PATH" />
    </EmptyState>
  );
}

function nothingFound(query: string, only: Only): string {
  const what = { all: 'Nothing', running: 'Nothing running', failed: 'Nothing that failed' }[only];
  if (query !== '') return `${what} matches “${query}”`;
  return only === 'running' ? 'Nothing is running' : 'Nothing failed';
}
