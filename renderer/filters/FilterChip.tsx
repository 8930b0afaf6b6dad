/** One filter as a chip: a switch, and buttons to edit and to remove it. */

import { type FormEvent, type KeyboardEvent, type RefObject, useRef } from 'react';
import type { FilterVerb } from '../../shared/api/filters.ts';
import { formatCount } from '../../shared/text/format.ts';
import { Button, ButtonGroup, IconButton } from '../ui/controls/Button.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { Popover } from '../ui/layout/Dialog.tsx';
import { focusTargetOf } from '../ui/state/page.ts';
import { sentence } from '../ui/text/format.ts';
import { Icon } from '../ui/text/Icon.tsx';
import { Spoken } from '../ui/text/MiddleText.tsx';
import styles from './FilterChip.module.css';
import { chipText, type Filter, type FilterWhat, filterName, isDraft, verbOf } from './filter.ts';
import type { Filters } from './use-filters.ts';

interface FilterChipProps {
  filter: Filter;
  filters: Filters;
  finalFocus: RefObject<HTMLElement | null>;
  onRemove: () => void;
}

/** The words between the verb and the filter's text. */
const LINES_OF = { level: ' lines of level', text: ' lines with', lines: ' lines' } as const;

export function FilterChip({ filter, filters, finalFocus, onRemove }: FilterChipProps) {
  const { id, what, on, verb } = filter;
  const chip = useRef<HTMLLIElement>(null);
  const rule = filters.ruleOf(id);
  const name = filterName(filter);
  const isText = what.kind === 'text';
  const close = () => {
    filters.edit(null);
    if (isDraft(filter)) filters.remove(id);
  };
  return (
    <li
      ref={chip}
      className={[styles.chip, !on && styles.off, rule?.problem && styles.wrong].filter(Boolean).join(' ')}
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
          onChange={(part) => filters.change(id, part)}
          onClose={close}
        />
      )}
    </li>
  );
}

/** The filter's words and count: a click switches it on or off. */
function Switch({ filter, filters, onRemove }: Omit<FilterChipProps, 'finalFocus'>) {
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
        <span className={styles.count}>
          {rule.problem ? 'not valid' : formatCount(rule.match_count)}
          {!rule.problem && <Spoken text=" lines" />}
        </span>
      )}
    </button>
  );
}

/** Edits a filter's text. The shown lines update as the person types. */
const VERBS = [
  { value: 'show', name: 'Show', title: 'Show these lines, and those of other filters that show' },
  { value: 'only', name: 'Only', title: 'Show only these lines' },
  { value: 'hide', name: 'Hide', title: 'Hide these lines' },
] as const;

interface FilterFormProps {
  open: boolean;
  what: FilterWhat & { kind: 'text' };
  verb: FilterVerb;
  /** Error in the pattern. */
  problem: string | null;
  anchor: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  onChange: (part: Partial<Filter>) => void;
  onClose: () => void;
}

export function FilterForm(props: FilterFormProps) {
  const { open, what, verb, problem, anchor, finalFocus, onChange, onClose } = props;
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
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
      <form className={styles.form} onSubmit={submit}>
        <Field
          ref={field}
          code
          label="Lines with"
          placeholder={what.fixed ? 'Plain text' : 'A regular expression'}
          value={what.pattern}
          problem={problem === null ? null : sentence(problem)}
          onChange={(event) => onChange({ what: { ...what, pattern: event.target.value } })}
        />
        <div className={styles.row}>
          <ButtonGroup legend="What happens to these lines">
            {VERBS.map(({ value, name, title }) => (
              <Button
                key={value}
                pressed={verb === value}
                title={title}
                onClick={() => onChange({ verb: value })}
              >
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
              pressed={!what.fixed}
              aria-label="Regular expression"
              title="Regular expression"
              onClick={() => onChange({ what: { ...what, fixed: !what.fixed } })}
            >
              .*
            </Button>
          </ButtonGroup>
        </div>
      </form>
    </Popover>
  );
}
