/** Shows the filters as chips above the text, how they combine, and how many lines pass. */

import { type KeyboardEvent, type RefObject, type SyntheticEvent, useRef } from 'react';
import type { FilterVerb } from '../../shared/api/filters.ts';
import type { LogFormat } from '../../shared/log-format.ts';
import { formatCount } from '../../shared/text/format.ts';
import { ActionButton, ActionIcon } from '../actions/ActionMenu.tsx';
import { titleOf } from '../actions/action.ts';
import { Button, ButtonGroup, IconButton, OneStop } from '../ui/controls/Button.tsx';
import { ChoiceMenu, choicesOf } from '../ui/controls/ChoiceMenu.tsx';
import { Field, Meter } from '../ui/controls/Field.tsx';
import { Popover } from '../ui/layout/Dialog.tsx';
import { focusTargetOf } from '../ui/state/page.ts';
import { useAfter } from '../ui/state/time.ts';
import { formatPercent, sentence } from '../ui/text/format.ts';
import { Icon } from '../ui/text/Icon.tsx';
import { Spoken } from '../ui/text/MiddleText.tsx';
import styles from './FilterBar.module.css';
import {
  asRead,
  chipText,
  type Entries,
  type Filter,
  type FilterWhat,
  filterName,
  isDraft,
  shortPattern,
  withPattern,
  wordOf,
} from './filter.ts';
import { addFilterActions, type FilterContext, filterActions } from './filter-actions.ts';
import { type SetsContext, setActions } from './SetsDialog.tsx';
import type { Filters } from './use-filters.ts';

export function FilterBar({ context, sets }: { context: FilterContext; sets: SetsContext }) {
  const { filters, viewer } = context;
  const bar = useRef<HTMLElement>(null);
  if (filters.filters.length === 0 && filters.entries === 'lines') return null;
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
      <OneStop label="Filters">
        <ul className={styles.chips}>
          {asRead(filters.filters).map((filter, index) => (
            <FilterChip
              key={filter.id}
              filter={filter}
              filters={filters}
              finalFocus={viewer.scroller}
              format={viewer.opened.snapshot.state?.format ?? null}
              onRemove={() => {
                focusAfter(index);
                removeOne(context, filter);
              }}
            />
          ))}
        </ul>
        <ActionButton tone="quiet" action={addFilterActions.add} context={context.adding} label="Add" />
        <span className={styles.words}>
          <WhatTheyChoose context={context} />
          <Passing context={context} />
          <ActionIcon action={setActions.sets} context={sets} />
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
      </OneStop>
    </section>
  );
}

/** Offers no undo for a filter without text. */
function removeOne({ filters, say }: FilterContext, filter: Filter): void {
  if (isDraft(filter)) filters.endEdit(filter.id);
  else say(`Removed the filter “${shortPattern(filterName(filter))}”`, filters.remove(filter.id));
}

const ENTRIES = { lines: 'Lines', whole: 'Entries', first: 'First lines' };

/** Chooses whether filters choose lines or entries. */
function WhatTheyChoose({ context: { filters } }: { context: FilterContext }) {
  return (
    <ChoiceMenu
      trigger={
        <Button tone="quiet" opensMenu title="What filters choose">
          {ENTRIES[filters.entries]}
        </Button>
      }
      {...choicesOf<Entries>({
        label: 'Filters choose',
        chosen: filters.entries,
        choices: [
          ['lines', 'Lines'],
          ['whole', 'Entries, such as an error with its stack trace'],
          ['first', 'First lines of entries'],
        ],
        onChoose: filters.chooseEntries,
      })}
    />
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

interface FilterChipProps {
  filter: Filter;
  filters: Filters;
  finalFocus: RefObject<HTMLElement | null>;
  format: LogFormat | null;
  onRemove: () => void;
}

/** The bar shortens longer patterns where it has no room. */
const LONG_CHARS = 8;

/** The words between the verb and the filter's text. */
const LINES_OF = {
  level: ' lines of level',
  text: ' lines with',
  lines: ' lines',
  differences: ' lines that are',
} as const;

/** One filter as a chip: a switch, and buttons to edit and to remove it. */
function FilterChip({ filter, filters, finalFocus, format, onRemove }: FilterChipProps) {
  const { id, what, on, verb } = filter;
  const chip = useRef<HTMLLIElement>(null);
  const rule = filters.ruleOf(id);
  const name = filterName(filter);
  const isText = what.kind === 'text';
  const shown = verb === 'hide' ? { ...filter, verb: 'only' as const } : filter;
  const isFirst =
    wordOf(
      shown,
      filters.filters.map((one) => (one === filter ? shown : one)),
    ) === 'Show';
  const close = () => {
    filters.edit(null);
    filters.endEdit(id);
  };
  return (
    <li
      ref={chip}
      className={[
        styles.chip,
        !on && styles.off,
        rule?.problem && styles.wrong,
        chipText(what).length > LONG_CHARS && styles.long,
      ]
        .filter(Boolean)
        .join(' ')}
      data-chip={on ? 'on' : 'off'}
    >
      <Switch {...{ filter, filters, onRemove }} />
      {isText && (
        <IconButton
          className={styles.small}
          icon="edit"
          label={`Edit: ${name}`}
          aria-haspopup="dialog"
          aria-expanded={filters.edited === id}
          onClick={() => filters.edit(filters.edited === id ? null : id)}
        />
      )}
      {what.kind === 'level' && (
        <IconButton
          className={styles.small}
          icon="switches"
          label={
            verb === 'hide'
              ? `Show lines of level ${what.level} instead`
              : `Hide lines of level ${what.level} instead`
          }
          onClick={() =>
            verb === 'hide' ? filters.showLevel(what.level) : filters.change(id, { verb: 'hide' })
          }
        />
      )}
      <IconButton className={styles.small} icon="close" label={`Remove: ${name}`} onClick={onRemove} />
      {isText && (
        <FilterForm
          open={filters.edited === id}
          what={what}
          verb={verb}
          isFirst={isFirst}
          problem={rule?.problem ?? null}
          anchor={chip}
          finalFocus={finalFocus}
          format={format}
          onChange={(next) => filters.change(id, { what: next }, true)}
          onCombine={(next) => filters.combine(id, next)}
          onClose={close}
        />
      )}
    </li>
  );
}

/** The filter's words and count: a click switches it on or off. */
function Switch({ filter, filters, onRemove }: Omit<FilterChipProps, 'finalFocus' | 'format'>) {
  const { id, what, on } = filter;
  const rule = filters.ruleOf(id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    onRemove();
  };
  return (
    <button
      type="button"
      className={styles.switch}
      aria-pressed={on}
      title={`${filterName(filter)}. Click to switch it ${on ? 'off' : 'on'}; Delete removes it`}
      onClick={() => filters.change(id, { on: !on })}
      onKeyDown={onKeyDown}
    >
      <Icon name={on ? 'check' : 'dash'} />
      {isDraft(filter) ? (
        <span className={styles.word}>New filter</span>
      ) : (
        <>
          <span className={styles.verb}>
            {wordOf(filter, filters.filters)}
            <Spoken text={LINES_OF[what.kind]} />
          </span>
          <span className={what.kind === 'text' ? styles.pattern : styles.word}>
            {chipText(what)}
            {rule && <Spoken text="," />}
          </span>
        </>
      )}
      {rule && (
        <span className={styles.filterChipCount}>
          {rule.problem ? 'not valid' : formatCount(rule.match_count)}
          {!rule.problem && <Spoken text=" lines" />}
        </span>
      )}
    </button>
  );
}

/** Edits a filter's text. The shown lines update as the person types. */
const HIDE = { value: 'hide', name: 'Hide', means: 'Hides lines with this' } as const;
const FIRST_VERBS = [{ value: 'only', name: 'Show', means: 'Shows lines with this' }, HIDE] as const;
const VERBS = [
  { value: 'only', name: 'And', means: 'Shows lines that match the other filters and this' },
  { value: 'show', name: 'Or', means: 'Shows lines that match the other filters or this' },
  HIDE,
] as const;

interface FilterFormProps {
  open: boolean;
  what: FilterWhat & { kind: 'text' };
  verb: FilterVerb;
  /** Whether no other filter that shows lines comes before it. */
  isFirst: boolean;
  /** Error in the pattern. */
  problem: string | null;
  anchor: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  format: LogFormat | null;
  onChange: (what: FilterWhat) => void;
  onCombine: (verb: FilterVerb) => void;
  onClose: () => void;
}

function FilterForm(props: FilterFormProps) {
  const { open, what, verb, isFirst, problem, anchor, finalFocus, format, onChange, onClose } = props;
  const verbs = isFirst ? FIRST_VERBS : VERBS;
  const chosen = verbs.find(({ value }) => value === verb) ?? verbs[0];
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
    // At once: the next key may come before the form has closed, and belongs to the text.
    focusTargetOf(finalFocus.current)?.focus({ preventScroll: true });
  };
  return (
    <Popover
      open={open}
      onClose={onClose}
      anchor={anchor}
      title="Filter the lines"
      initialFocus={field}
      finalFocus={finalFocus}
    >
      {/* Enter ends it on each of its buttons, too; Space presses them. */}
      <form
        className={styles.form}
        onSubmit={submit}
        onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && submit(event)}
      >
        <Field
          ref={field}
          code
          label="Lines with"
          placeholder={what.fixed ? 'Plain text' : 'A regular expression, or status>=500'}
          value={what.pattern}
          problem={problem === null ? null : sentence(problem)}
          onChange={(event) => onChange(withPattern(what, event.target.value, format))}
        />
        <div className={styles.row}>
          <ButtonGroup legend="What happens to these lines">
            {verbs.map(({ value, name }) => (
              <Button key={value} pressed={value === chosen.value} onClick={() => props.onCombine(value)}>
                {name}
              </Button>
            ))}
          </ButtonGroup>
          <ButtonGroup legend="Pattern options">
            <Button
              pressed={what.case_sensitive}
              label="Match case"
              aria-label="Match case"
              title="Match case"
              onClick={() => onChange({ ...what, case_sensitive: !what.case_sensitive })}
            >
              Aa
            </Button>
            <Button
              pressed={what.word ?? false}
              title="Whole word"
              onClick={() => onChange({ ...what, word: !what.word || undefined })}
            >
              <span aria-hidden="true">“ab”</span>
              <span className="visually-hidden">Whole word</span>
            </Button>
            <Button
              pressed={!what.fixed}
              aria-label="Regular expression"
              title="Regular expression"
              onClick={() => onChange({ ...what, fixed: !what.fixed })}
            >
              .*
            </Button>
          </ButtonGroup>
        </div>
        <p className={styles.meaning}>{chosen.means}</p>
      </form>
    </Popover>
  );
}
