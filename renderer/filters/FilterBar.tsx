/** Shows the filters as chips above the text, how they combine, and how many lines pass. */
import { useRef } from 'react';
import { formatCount } from '../../shared/text/format.ts';
import { ActionButton } from '../actions/ActionMenu.tsx';
import { titleOf } from '../actions/action.ts';
import { Button, ButtonGroup, IconButton } from '../ui/controls/Button.tsx';
import { Meter } from '../ui/controls/Field.tsx';
import { useAfter } from '../ui/state/time.ts';
import { formatPercent, sentence } from '../ui/text/format.ts';
import styles from './FilterBar.module.css';
import { FilterChip } from './FilterChip.tsx';
import {
  type Filter,
  filterName,
  isDraft,
  type Match,
  matchOf,
  rulesInWords,
  shortPattern,
} from './filter.ts';
import { type FilterContext, filterActions } from './filter-actions.ts';

export function FilterBar({ context }: { context: FilterContext }) {
  const { filters, viewer } = context;
  const bar = useRef<HTMLElement>(null);
  if (filters.filters.length === 0) return null;
  const rules = rulesInWords(filters.filters.filter((each) => !isDraft(each)));
  const focusText = () => viewer.scroller.current?.focus({ preventScroll: true });
  /** Focus the chip beside the removed one, or the text after the last chip. */
  const focusAfter = (index: number) => {
    const chips = bar.current?.querySelectorAll<HTMLElement>('[data-chip] > button:first-child') ?? [];
    const next = chips[index + 1] ?? chips[index - 1];
    if (next) next.focus();
    else focusText();
  };
  return (
    <section ref={bar} className={styles.bar} aria-label="Filters">
      <ul className={styles.chips}>
        {filters.filters.map((filter, index) => (
          <FilterChip
            key={filter.id}
            filter={filter}
            filters={filters}
            finalFocus={viewer.scroller}
            onRemove={() => {
              focusAfter(index);
              removeOne(context, filter);
            }}
          />
        ))}
        <li>
          <ActionButton tone="quiet" action={filterActions.add} context={context} label="Add" />
        </li>
      </ul>
      <span className={styles.words}>
        <span className={styles.rules} title={rules}>
          {rules}
        </span>
        <AnyOrAll context={context} />
        <Passing context={context} />
        <IconButton
          className={styles.clear}
          icon="close"
          label={titleOf(filterActions.clear)}
          onClick={() => {
            filterActions.clear.run(context, null);
            focusText();
          }}
        />
      </span>
    </section>
  );
}

/** Offers no undo for a filter without text. */
function removeOne({ filters, say }: FilterContext, filter: Filter): void {
  const undo = filters.remove(filter.id);
  if (!isDraft(filter)) say(`Removed the filter “${shortPattern(filterName(filter))}”`, undo);
}

/** Chooses whether a line must match any or all of the filters that show lines. */
function AnyOrAll({ context: { filters, say } }: { context: FilterContext }) {
  const match = matchOf(filters.filters);
  if (match === null) return null;
  const matchBy = (next: Match) => {
    const undo = filters.matchBy(next);
    // Only a mixture needs an undo: otherwise the other button restores the state.
    if (match === 'mixed') say(`Lines match ${next} of the filters`, undo);
  };
  return (
    <ButtonGroup legend="Lines must match">
      <Button
        tone="quiet"
        pressed={match === 'any'}
        title="Show lines that match any of these filters"
        onClick={() => matchBy('any')}
      >
        Match any
      </Button>
      <Button
        tone="quiet"
        pressed={match === 'all'}
        title="Show only lines that match all of these filters"
        onClick={() => matchBy('all')}
      >
        Match all
      </Button>
    </ButtonGroup>
  );
}

/** Shows `1,204 of 50,000 lines`, and the progress of a long search. */
function Passing({ context: { filters, viewer } }: { context: FilterContext }) {
  const { passing, snapshot } = filters;
  const slow = useAfter(1000, passing !== null && !snapshot.caughtUp && snapshot.error === null);
  if (!passing) return null;
  if (snapshot.error) return <span className={styles.problem}>{sentence(snapshot.error.what)}</span>;
  const { state } = snapshot;
  const so = state && !snapshot.caughtUp ? ' so far' : '';
  return (
    <span className={styles.count} role="status" data-filter="count">
      {state
        ? `${formatCount(passing.count)} of ${formatCount(viewer.opened.snapshot.total)} lines${so}`
        : ''}
      {slow && state && (
        <>
          <Meter
            className={styles.meter}
            label="Filtered"
            bytes={state.searched_bytes}
            ofBytes={state.total_bytes}
          />
          <span data-filter="progress">{formatPercent(state.searched_bytes, state.total_bytes)}</span>
        </>
      )}
    </span>
  );
}
