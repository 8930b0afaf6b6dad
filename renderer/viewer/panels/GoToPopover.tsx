/** Asks for the line to go to. */
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Popover } from '../../ui/layout/Popover.tsx';
import { type Destination, GO_TO_HINT, parseDestination } from './go-to.ts';
import styles from './Popovers.module.css';

interface GoToPopoverProps {
  open: boolean;
  onClose: () => void;
  anchor: RefObject<HTMLElement | null>;
  finalFocus: RefObject<HTMLElement | null>;
  onGo: (destination: Destination) => void;
  /** Returns a function that goes to the typed time; null if it is not a time. */
  timeOf: (typed: string) => (() => void) | null;
}

export function GoToPopover(props: GoToPopoverProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Popover {...props} title="Go to line" initialFocus={input}>
      <GoToForm input={input} onClose={props.onClose} onGo={props.onGo} timeOf={props.timeOf} />
    </Popover>
  );
}

function GoToForm({
  input,
  onClose,
  onGo,
  timeOf,
}: Pick<GoToPopoverProps, 'onClose' | 'onGo' | 'timeOf'> & { input: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const destination = parseDestination(text);
    const goToTime = destination ? null : timeOf(text);
    if (!destination && !goToTime) return setProblem(`Enter a line like ${GO_TO_HINT}`);
    onClose();
    if (destination) onGo(destination);
    else goToTime?.();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        ref={input}
        label="Line"
        hideLabel
        hint={GO_TO_HINT}
        problem={problem}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(null);
        }}
      />
      <div className={styles.actions}>
        <Button type="submit" tone="primary" shortcut="Enter">
          Go
        </Button>
      </div>
    </form>
  );
}
