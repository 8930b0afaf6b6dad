/** Shows the filters as chips above the text, how they combine, and how many lines pass. */

import { type KeyboardEvent, type RefObject, type SyntheticEvent, useRef } from 'react';
import type { FilterVerb } from '../../shared/api/filters.ts';
import type { LogFormat } from '../../shared/log-format.ts';
import { formatCount } from '../../shared/text/format.ts';
import { ActionButton, ActionIcon } from '../actions/ActionMenu.tsx';
import { titleOf } from '../actions/action.ts';
import { Button, ButtonGroup, IconButton, OneStop } from '../ui/controls/Button.tsx';
import { ChoicesMenu, choicesOf } from '../ui/controls/ChoiceMenu.tsx';
import { Field, Meter } from '../ui/controls/Field.tsx';
import { Popover } from '../ui/layout/Dialog.tsx';
import { focusTargetOf } from '../ui/state/page.ts';
import { useAfter } from '../ui/state/time.ts';
import { formatPercent, sentence } from '../ui/text/format.ts';
import { Icon } from '../ui/text/Icon.tsx';
import { Spoken } from '../ui/text/MiddleText.tsx';
import styles from './FilterBar.module.css';
import {
  chipText,
  type Entries,
  type Filter,
  type FilterWhat,
  filterName,
  isDraft,
  type Match,
  matchOf,
  shortPattern,
  verbOf,
  withPattern,
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
          {filters.filters.map((filter, index) => (
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
          <HowTheyChoose context={context} />
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

const MATCHES = { any: 'Match any', all: 'Match all', mixed: 'Any Show, all Only' };

const ENTRIES = { lines: 'Lines', whole: 'Entries', first: 'First lines' };

/** Chooses whether a line must match any or all of the filters that show lines, and what they choose. */
function HowTheyChoose({ context: { filters, say } }: { context: FilterContext }) {
  const { entries } = filters;
  const match = matchOf(filters.filters);
  const matchBy = (next: Match) => {
    if (next !== match) say(`Lines match ${next} of the filters`, filters.matchBy(next));
  };
  const groups = [
    ...(match === null
      ? []
      : [
          choicesOf<Match | 'mixed'>({
            label: 'Lines must match',
            chosen: match,
            choices: [
              ['any', 'Any of the filters that show lines'],
              ['all', 'All of them'],
            ],
            onChoose: (next) => matchBy(next as Match),
          }),
        ]),
    choicesOf<Entries>({
      label: 'Filters choose',
      chosen: entries,
      choices: [
        ['lines', 'Lines'],
        ['whole', 'Entries, such as an error with its stack trace'],
        ['first', 'First lines of entries'],
      ],
      onChoose: filters.chooseEntries,
    }),
  ];
  const words = [
    ...(match === null ? [] : [MATCHES[match]]),
    ...(match === null || entries !== 'lines' ? [ENTRIES[entries]] : []),
  ];
  return (
    <ChoicesMenu
      trigger={
        <Button tone="quiet" opensMenu title="How filters combine, and what they choose">
          {words.join(', ')}
        </Button>
      }
      groups={groups}
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
          onClick={() => filters.change(id, { verb: verb === 'hide' ? 'show' : 'hide' })}
        />
      )}
      <IconButton className={styles.small} icon="close" label={`Remove: ${name}`} onClick={onRemove} />
      {isText && (
        <FilterForm
          open={filters.edited === id}
          what={what}
          verb={verb}
          problem={rule?.problem ?? null}
          anchor={chip}
          finalFocus={finalFocus}
          format={format}
          onChange={(part) => filters.change(id, part, true)}
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
            {verbOf(filter)}
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
const VERBS = [
  { value: 'show', name: 'Show', means: 'Or: shows lines with this, and those of the other Show filters.' },
  { value: 'only', name: 'Only', means: 'And: of what the others show, only lines with this.' },
  { value: 'hide', name: 'Hide', means: 'Not: hides lines with this.' },
] as const;

interface FilterFormProps {
  open: boolean;
  what: FilterWhat & { kind: 'text' };
  verb: FilterVerb;
  /** Error in the pattern. */
  problem: string | null;
  anchor: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  format: LogFormat | null;
  onChange: (part: Partial<Filter>) => void;
  onClose: () => void;
}

function FilterForm(props: FilterFormProps) {
  const { open, what, verb, problem, anchor, finalFocus, format, onChange, onClose } = props;
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
          onChange={(event) => onChange({ what: withPattern(what, event.target.value, format) })}
        />
        <div className={styles.row}>
          <ButtonGroup legend="What happens to these lines">
            {VERBS.map(({ value, name }) => (
              <Button key={value} pressed={verb === value} onClick={() => onChange({ verb: value })}>
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
              onClick={() => onChange({ what: { ...what, case_sensitive: !what.case_sensitive } })}
            >
              Aa
            </Button>
            <Button
              pressed={what.word ?? false}
              title="Whole word"
              onClick={() => onChange({ what: { ...what, word: !what.word || undefined } })}
            >
              <span aria-hidden="true">“ab”</span>
              <span className="visually-hidden">Whole word</span>
            </Button>
            <Button
              pressed={!what.fixed}
              aria-label="Regular expression"
              title="Regular expression"
              onClick={() => onChange({ what: { ...what, fixed: !what.fixed } })}
            >
              .*
            </Button>
          </ButtonGroup>
        </div>
        <p className={styles.meaning}>{VERBS.find(({ value }) => value === verb)?.means}</p>
      </form>
    </Popover>
  );
}
