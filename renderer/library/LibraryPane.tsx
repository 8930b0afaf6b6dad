/** The list at the left: the artifacts, a filter, and a button to open something else. */
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';
import { isMergedId } from '../../shared/merged.ts';
import type { SearchTerm } from '../../shared/search-query.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { ActionIcon } from '../actions/ActionMenu.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { PaneHeader } from '../ui/layout/Pane.tsx';
import { AcrossPane } from './AcrossPane.tsx';
import styles from './LibraryPane.module.css';
import type { LibraryStore } from './library-store.ts';
import { ArtifactList, type ArtifactListHandle, type OpenHow } from './list/ArtifactList.tsx';
import { ChosenBar, ListControls } from './list/ListControls.tsx';
import { ListEmpty } from './list/ListEmpty.tsx';
import { chooseGrouping, type FilteredList, fold, useFilteredList } from './list/list-settings.ts';
import { type ListContext, listActions } from './list-actions.ts';
import { OpenPath } from './OpenPath.tsx';
import { useLibraryState } from './use-library.ts';

interface LibraryPaneProps {
  library: LibraryStore;
  onTryAgain: () => void;
  shown: string | null;
  filter: RefObject<HTMLInputElement | null>;
  path: RefObject<HTMLInputElement | null>;
  hideButton: RefObject<HTMLButtonElement | null>;
  onOpen: (artifactId: string, how: OpenHow) => void;
  /** Whether the search through all artifacts replaces the list. */
  isAcross: boolean;
  across: RefObject<HTMLInputElement | null>;
  onAcross: (isAcross: boolean) => void;
  onOpenSearch: (artifactId: string, term: SearchTerm) => void;
  /** Shows several artifacts as one text, in the order of their lines' times. */
  onMerge: (ids: readonly string[]) => void;
  /** Moves the focus from a field to the text, for Escape; returns false if it stays. */
  onLeave: () => boolean;
  list: ListContext;
}

export function LibraryPane(props: LibraryPaneProps) {
  const { library, shown, filter, path, onOpen, onLeave } = props;
  const state = useLibraryState(library);
  const listing = useFilteredList(library, state.structure);
  const { found, layout, words, question, isFiltered, clear } = listing;
  const list = useRef<ArtifactListHandle>(null);

  const onFilterKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return list.current?.onKeyDown(event);
    if (isFiltered) clear();
    else if (!onLeave()) return;
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
      <Header
        list={props.list}
        count={state.known ? countText(found.found, state.total) : ''}
        hideButton={props.hideButton}
      />
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
      {state.total > 0 && (
        <ListControls
          groupBy={layout.groupBy}
          onGroupBy={chooseGrouping}
          only={listing.only}
          onOnly={listing.setOnly}
          agent={listing.agent}
          agents={found.agents}
          onAgent={listing.setAgent}
          running={found.running}
          failed={found.failed}
        />
      )}
      {props.isAcross && <Across {...props} listing={listing} />}
      {!props.isAcross && isNothing && (
        <ListEmpty
          state={state}
          query={listing.query}
          only={listing.only}
          onClear={clear}
          onTryAgain={props.onTryAgain}
        />
      )}
      {!props.isAcross && !isNothing && (
        <ArtifactList
          ref={list}
          library={library}
          layout={layout}
          shared={found.shared}
          words={words}
          question={question}
          shown={shown}
          onOpen={onOpen}
          onFold={fold}
          onType={onType}
        />
      )}
      <ChosenBar onMerge={props.onMerge} />
      <OpenPath
        ref={path}
        list={props.list}
        onOpened={(artifactId) => onOpen(artifactId, 'enter')}
        onLeave={onLeave}
      />
    </aside>
  );
}

interface HeaderProps extends Pick<LibraryPaneProps, 'list' | 'hideButton'> {
  count: string;
}

function Header({ list, count, hideButton }: HeaderProps) {
  return (
    <PaneHeader>
      <h1 className={styles.title}>Spillway</h1>
      <span className={styles.count} role="status">
        {count}
      </span>
      <ActionIcon action={listActions.across} context={list} />
      <ActionIcon action={listActions.captures} context={list} label="Agents’ captures" />
      <ActionIcon ref={hideButton} action={listActions.show} context={list} label="Hide the list" />
    </PaneHeader>
  );
}

/** The search through all listed artifacts, in place of the list. */
function Across({
  library,
  listing,
  filter,
  across,
  onAcross,
  onOpenSearch,
  onLeave,
}: LibraryPaneProps & { listing: FilteredList }) {
  const { found, only, agent, query } = listing;
  return (
    <AcrossPane
      library={library}
      ids={() =>
        found.groups.flatMap(({ entries }) => entries.map(({ id }) => id).filter((id) => !isMergedId(id)))
      }
      question={`${only} ${agent} ${query}`}
      field={across}
      onOpen={onOpenSearch}
      onClose={() => {
        onAcross(false);
        filter.current?.focus();
      }}
      onEscape={() => {
        flushSync(() => onAcross(false));
        if (!onLeave()) filter.current?.focus();
      }}
    />
  );
}

function countText(found: number, all: number): string {
  return found === all ? plural(all, 'item') : `${formatCount(found)} of ${plural(all, 'item')}`;
}
