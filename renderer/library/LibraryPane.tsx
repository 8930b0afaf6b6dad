/** The list at the left: the artifacts, a filter, and a button to open something else. */
import {
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import { isMergedId } from '../../shared/merged.ts';
import type { SearchTerm } from '../../shared/search-query.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { ActionButton } from '../commands/ActionButton.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { PaneHeader } from '../ui/layout/PaneHeader.tsx';
import { AcrossPane } from './across/AcrossPane.tsx';
import { type ListContext, listActions } from './actions.ts';
import styles from './LibraryPane.module.css';
import type { LibraryStore } from './library-store.ts';
import { ArtifactList, type ArtifactListHandle } from './list/ArtifactList.tsx';
import { ChosenBar } from './list/ChosenBar.tsx';
import { filterWords } from './list/filter-match.ts';
import { ListControls } from './list/ListControls.tsx';
import { ListEmpty } from './list/ListEmpty.tsx';
import { groupedList, type Only } from './list/list-groups.ts';
import { ListLayout } from './list/list-layout.ts';
import { chooseGrouping, fold, foldings, groupings } from './list/list-settings.ts';
import type { OpenHow } from './list/use-list-keys.ts';
import { OpenPath } from './sources/OpenPath.tsx';
import { useLibraryState } from './use-library.ts';

interface LibraryPaneProps {
  library: LibraryStore;
  onTryAgain: () => void;
  shown: string | null;
  filter: RefObject<HTMLInputElement | null>;
  path: RefObject<HTMLInputElement | null>;
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
  const { library, onTryAgain, shown, filter, path, onOpen, onLeave } = props;
  const state = useLibraryState(library);
  const [typed, setTyped] = useState('');
  const [only, setOnly] = useState<Only>('all');
  const [agent, setAgent] = useState<string | null>(null);
  const groupBy = useSyncExternalStore(groupings.subscribe, groupings.get);
  const folded = useSyncExternalStore(foldings.subscribe, foldings.get);
  const list = useRef<ArtifactListHandle>(null);
  // Keep typing responsive; the results follow.
  const query = useDeferredValue(typed);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the structure is what the answer depends on
  const found = useMemo(
    () => groupedList(library.sorted, { groupBy, query, only, agent, folded }),
    [library, state.structure, groupBy, query, only, agent, folded],
  );
  const words = useMemo(() => filterWords(query), [query]);
  const layout = useMemo(() => new ListLayout(found.groups, groupBy), [found, groupBy]);

  const clear = () => {
    setTyped('');
    setOnly('all');
    setAgent(null);
  };
  const onFilterKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return list.current?.onKeyDown(event);
    const isFiltered = typed !== '' || only !== 'all' || agent !== null;
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

  const nothing = state.problem !== null || found.found === 0;
  return (
    <aside className={styles.pane} aria-label="Library">
      <PaneHeader>
        <h1 className={styles.title}>Spillway</h1>
        <span className={styles.count} role="status">
          {state.known ? countText(found.found, state.total) : ''}
        </span>
        <ActionButton tone="quiet" iconOnly action={listActions.across} context={props.list} />
        <ActionButton
          tone="quiet"
          iconOnly
          action={listActions.captures}
          context={props.list}
          label="Agents’ captures"
        />
        <ActionButton
          tone="quiet"
          iconOnly
          action={listActions.show}
          context={props.list}
          label="Hide the list"
        />
      </PaneHeader>
      <div className={styles.filter}>
        <Field
          ref={filter}
          type="search"
          label="Filter the list"
          hideLabel
          placeholder={`Filter (${listActions.filter.keys[0]})`}
          aria-keyshortcuts={listActions.filter.keys[0]}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onFilterKey}
        />
      </div>
      {state.total > 0 && (
        <ListControls
          groupBy={groupBy}
          onGroupBy={chooseGrouping}
          only={only}
          onOnly={setOnly}
          agent={agent}
          agents={found.agents}
          onAgent={setAgent}
          running={found.running}
          failed={found.failed}
        />
      )}
      {props.isAcross ? (
        <AcrossPane
          library={library}
          ids={() =>
            found.groups.flatMap(({ entries }) => entries.map(({ id }) => id).filter((id) => !isMergedId(id)))
          }
          question={`${only} ${agent} ${query}`}
          field={props.across}
          onOpen={props.onOpenSearch}
          onClose={() => {
            props.onAcross(false);
            filter.current?.focus();
          }}
          onEscape={() => {
            flushSync(() => props.onAcross(false));
            if (!onLeave()) filter.current?.focus();
          }}
        />
      ) : nothing ? (
        <ListEmpty state={state} query={query} only={only} onClear={clear} onTryAgain={onTryAgain} />
      ) : (
        <ArtifactList
          ref={list}
          library={library}
          layout={layout}
          shared={found.shared}
          words={words}
          question={`${groupBy} ${only} ${agent} ${query}`}
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

function countText(found: number, all: number): string {
  return found === all ? plural(all, 'item') : `${formatCount(found)} of ${plural(all, 'item')}`;
}
