/** The message shown instead of an empty list: why it is empty, and what to do. */

import { Button, Command } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/layout/Message.tsx';
import { useAfter } from '../../ui/state/time.ts';
import styles from '../LibraryPane.module.css';
import type { LibraryState } from '../library-store.ts';
import type { Only } from './list-groups.ts';
import type { FilteredList } from './list-settings.ts';

interface ListEmptyProps {
  state: LibraryState;
  listing: FilteredList;
  onTryAgain: () => void;
}

/** Milliseconds of waiting before saying so. */
const LONG_MS = 1000;

export function ListEmpty({ state, listing, onTryAgain }: ListEmptyProps) {
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
