/** The list at the left: the artifacts, a filter, and a button to open something else. */

import { type KeyboardEvent, useRef } from 'react';
import { agentName } from '../../shared/agent-names.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { ActionButton, ActionIcon } from '../actions/ActionMenu.tsx';
import { titleOf } from '../actions/action.ts';
import { Button, IconButton, OneStop } from '../ui/controls/Button.tsx';
import { ChoiceMenu } from '../ui/controls/ChoiceMenu.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { EmptyState } from '../ui/layout/Message.tsx';
import { PaneHeader } from '../ui/layout/Pane.tsx';
import { useAfter } from '../ui/state/time.ts';
import { Spoken } from '../ui/text/MiddleText.tsx';
import { AcrossPane } from './AcrossPane.tsx';
import styles from './LibraryPane.module.css';
import { type LibraryState, useLibraryState } from './library-store.ts';
import { ArtifactList, type ArtifactListHandle } from './list/ArtifactList.tsx';
import type { GroupBy, Only } from './list/list-groups.ts';
import {
  chooseGrouping,
  clearChosen,
  type FilteredList,
  useChosen,
  useFilteredList,
} from './list/list-settings.ts';
import { type ListContext, listActions } from './list-actions.ts';

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
    <div className={styles.pane}>
      <PaneHeader>
        <strong className={styles.title}>Spillway</strong>
        <span className={styles.count} role="status">
          {state.known ? countText(found.found, state.total) : ''}
        </span>
        <OneStop label="List">
          <ActionIcon action={listActions.across} context={list} />
          <ActionIcon action={listActions.captures} context={list} label="Agents’ captures" />
          <ActionIcon ref={list.hideButton} action={listActions.show} context={list} label="Hide the list" />
        </OneStop>
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
      <OneStop className={styles.open} label="Open">
        <ActionButton tone="quiet" action={listActions.open} context={list} label="Open…" />
        <span className={styles.gap} />
        <ActionIcon action={listActions.sources} context={list} />
      </OneStop>
    </div>
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
      <p>What you record and open is listed here.</p>
    </EmptyState>
  );
}

function nothingFound(query: string, only: Only): string {
  const what = { all: 'Nothing', running: 'Nothing running', failed: 'Nothing that failed' }[only];
  if (query !== '') return `${what} matches “${query}”`;
  return only === 'running' ? 'Nothing is running' : 'Nothing failed';
}

const GROUPINGS: ReadonlyArray<{ value: GroupBy; name: string; button: string }> = [
  { value: 'session', name: 'By session', button: 'By session' },
  { value: 'day', name: 'By day', button: 'By day' },
  { value: 'command', name: 'By command', button: 'By command' },
  { value: 'source', name: 'By source', button: 'By source' },
  { value: 'nothing', name: 'Without groups', button: 'No groups' },
];

const EVERYBODY = '';

/** The controls above the list: the grouping, and whether to list everything, running or failed artifacts. */
export function ListControls({ listing }: { listing: FilteredList }) {
  const { layout, only, setOnly, agent, setAgent, found } = listing;
  const { groupBy } = layout;
  const { agents, running, failed } = found;
  const toggle = (state: Only) => setOnly(only === state ? 'all' : state);
  return (
    <OneStop className={styles.controls} label="What is listed">
      <ChoiceMenu
        trigger={
          <Button
            tone="quiet"
            className={`${styles.control} ${styles.grouping}`}
            icon="group"
            title={titleOf(listActions.grouping)}
            aria-keyshortcuts={listActions.grouping.keys[0]}
          >
            {GROUPINGS.find(({ value }) => value === groupBy)?.button}
          </Button>
        }
        choices={GROUPINGS}
        chosen={groupBy}
        onChoose={chooseGrouping}
        align="start"
      />
      {agents.size > 0 && (
        <ChoiceMenu
          trigger={
            <Button
              tone="quiet"
              className={`${styles.control} ${styles.agents}`}
              title="List only what one agent ran"
              pressed={agent !== null}
            >
              {agent === null ? 'All agents' : agentName(agent).title}
            </Button>
          }
          choices={[
            { value: EVERYBODY, name: 'All, and your own' },
            ...[...agents].map((name) => ({ value: name, name: agentName(name).title })),
          ]}
          chosen={agent ?? EVERYBODY}
          onChoose={(name) => setAgent(name === EVERYBODY ? null : name)}
          align="start"
        />
      )}
      <span className={styles.gap} />
      {(running > 0 || only === 'running') && (
        <Button
          tone="quiet"
          className={`${styles.control} ${styles.shownCount}`}
          icon="play"
          pressed={only === 'running'}
          title="List only what is running"
          onClick={() => toggle('running')}
        >
          {formatCount(running)} <span className={styles.word}>running</span>
        </Button>
      )}
      {(failed > 0 || only === 'failed') && (
        <Button
          tone="quiet"
          className={`${styles.control} ${styles.shownCount}`}
          icon="cross"
          pressed={only === 'failed'}
          title="List only what failed"
          onClick={() => toggle('failed')}
        >
          {formatCount(failed)} <span className={styles.word}>failed</span>
        </Button>
      )}
    </OneStop>
  );
}

/** Actions on the artifacts chosen in the list. */
interface ChosenBarProps {
  onMerge: (ids: readonly string[]) => void;
  onCompare: (ids: readonly string[]) => void;
}

export function ChosenBar({ onMerge, onCompare }: ChosenBarProps) {
  const chosen = useChosen();
  if (chosen.length === 0) return null;
  const take = (act: (ids: readonly string[]) => void) => {
    act(chosen);
    clearChosen();
  };
  return (
    <section className={styles.bar} aria-label="Chosen">
      <span className={styles.chosenBarCount} role="status">
        {`${formatCount(chosen.length)} chosen`}
        {chosen.length === 1 && <Spoken text=": choose another" />}
      </span>
      <Button
        disabled={chosen.length !== 2}
        title="Show two side by side, and what differs"
        onClick={() => take(onCompare)}
      >
        Compare
      </Button>
      <Button tone="primary" disabled={chosen.length < 2} onClick={() => take(onMerge)}>
        Merge by time
      </Button>
      <IconButton icon="close" label="Choose none" onClick={clearChosen} />
    </section>
  );
}
