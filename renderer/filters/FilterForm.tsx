/** Edits a filter's text. The shown lines update as the person types. */
import { type FormEvent, type RefObject, useRef } from 'react';
import type { FilterVerb } from '../../shared/api/filters.ts';
import { Button } from '../ui/controls/Button.tsx';
import { ButtonGroup } from '../ui/controls/ButtonGroup.tsx';
import { Field } from '../ui/controls/Field.tsx';
import { Popover } from '../ui/layout/Popover.tsx';
import { focusTargetOf } from '../ui/state/focus-message.ts';
import { sentence } from '../ui/words/format.ts';
import styles from './FilterForm.module.css';
import type { Filter, FilterWhat } from './filter.ts';

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
